import { deliveryPlan, deliveryRequest } from '../deliveries/delivery.fixture.ts'
import { type Delivery, dropFailures } from '../deliveries/delivery.ts'
import { Refusal } from '../error-keys.ts'
import type { Promo } from '../fare/promo.ts'
import { unit } from '../money/amount.ts'
import type { ActorRole } from '../users/roles.ts'
import type { Entry } from '../wallet/ledger.ts'
import { fareToPay } from './amounts.ts'
import {
  driver,
  inputFor,
  minute,
  booking as plain,
  riderWith,
  settings,
  start,
  waitedFrom,
} from './booking.fixture.ts'
import { type Booking, type CommandAuthor } from './booking.ts'
import { type Created, createBooking } from './create.ts'
import type { Decision, Effect } from './decision.ts'
import type { BookingSettings, CommandInput, DriverFacts, Facts } from './facts.ts'
import { bookingStatuses, type PaymentMode, paymentModes } from './status.ts'
import { type BookingCommand, mayCommand, type Transition, transitions } from './transitions.ts'

/** One random step of a test: indices into the possible choices. */
export interface Step {
  /** Try any command, one that the state machine allows, or one that moves the trip forward. */
  aim: 'any' | 'allowed' | 'onward'
  pick: number
  variant: number
  minutes: number
}

export interface WorldOptions {
  autoDispatch: boolean
  negativeBalance: boolean
  delivery: boolean
  balance: number
  mode: PaymentMode
  inAdvance: boolean
  promo: boolean
}

/** A small city for tests: a rider, a few drivers, an admin; bookings that replace one another; a ledger. */
export class World {
  now = start
  readonly bookings: Booking[] = []
  delivery: Delivery | null
  readonly entries: Entry[] = []
  readonly promoUses = new Map<string, number>()
  requested: string[] = []
  readonly busy = new Set<string>()
  readonly settings: BookingSettings
  private readonly firstBalance: number
  private payments = 0

  constructor(options: WorldOptions) {
    this.settings = {
      ...settings,
      autoDispatch: options.autoDispatch,
      negativeBalance: options.negativeBalance,
      category: options.delivery ? 'delivery' : 'taxi',
      deliveryCash: true,
    }
    this.firstBalance = options.balance
    const created = this.create(options)
    this.entries.push(...created.entries)
    this.bookings.push(created.booking)
    this.delivery = created.delivery
    for (const effect of created.effects) this.carryOut(effect)
  }

  /** The first booking; in cash if the wallet has too little for the chosen method. */
  private create({ mode, inAdvance, promo, delivery }: WorldOptions): Created {
    const make = (payment_mode: PaymentMode) =>
      createBooking(
        {
          by: { role: 'rider', id: 'r' },
          identity: { id: 'b', booking_id: 'ABC234', otp: '12345' },
          settings: this.settings,
          customer: {
            id: 'r',
            usertype: 'rider',
            approved: true,
            name: 'Rita',
            contact: null,
            email: 'rita@example.test',
            image: null,
            walletBalance: this.firstBalance,
          },
          carType: {
            id: 'ct',
            name: 'Economy',
            image: null,
            fare_rule: plain.fare_rule,
            cancel_slab: plain.cancel_slab,
            parcel_types: [],
            options: [],
            seats: 4,
          },
          pickup: plain.pickup,
          drop: plain.drop,
          route: { distanceKm: 6, durationS: 1200, polyline: '' },
          driverNear: true,
          open: { now: 0, later: 0, searching: 0 },
          bookLater: false,
          tripdate: null,
          passengers: null,
          group: null,
          payment_mode,
          inAdvance,
          cardAvailable: true,
          promo: promo ? this.promo('p', 20) : null,
          delivery: delivery
            ? { request: deliveryRequest, plan: deliveryPlan, codes: [], leaveAt: this.now }
            : null,
          agreed: null,
        },
        this.now,
      )
    const chosen = make(mode)
    const created = chosen instanceof Refusal ? make('cash') : chosen
    if (created instanceof Refusal) throw created
    return created
  }

  get booking(): Booking {
    return this.bookings.at(-1) as Booking
  }

  balanceOf(account: string): number {
    const legs = this.entries.flatMap((entry) => entry.legs)
    return legs.reduce((sum, leg) => (leg.account === account ? sum + leg.amount : sum), 0)
  }

  /** A commander and a command: any, or one that the table allows to the right people. */
  choose(step: Step): { by: CommandAuthor; command: BookingCommand } {
    const all = (Object.keys(transitions) as BookingCommand[]).flatMap((command) =>
      people.map((by) => ({ by, command })),
    )
    const allowed = all.filter(
      ({ by, command }) => mayCommand(by.role, command, this.booking.status) && this.isTheirs(by),
    )
    const onward = allowed.filter(({ by, command }) => this.isOnward(by, command))
    const [first] = [{ any: all, allowed, onward }[step.aim], all].filter((list) => list.length > 0)
    const from = first ?? all
    return from[step.pick % from.length] as { by: CommandAuthor; command: BookingCommand }
  }

  private newPayment(): string {
    this.payments += 1
    return `p${this.payments}`
  }

  factsOf(by: CommandAuthor): Facts {
    const id = by.role === 'driver' && by.id !== null ? by.id : 'd'
    return {
      booking: this.booking,
      delivery: this.delivery,
      by,
      settings: this.settings,
      requested: this.requested,
      wasAsked: false,
      rider: riderWith(this.firstBalance + this.balanceOf('user:r')),
      silence: null,
      driver: this.driverFacts(id),
      cardAvailable: true,
    }
  }

  inputOf(command: BookingCommand, { variant }: Step): CommandInput {
    const { booking } = this
    const due = fareToPay(booking) - booking.usedWalletMoney - booking.cardPaymentAmount
    const byCard = booking.payment_mode === 'card' || booking.payment_mode === 'wallet_card'
    const differences: Partial<Record<BookingCommand, object>> = {
      capture_payment: { amount: byCard ? due : 0, payment: byCard && due > 0 ? this.newPayment() : null },
      settle_capture: { amount: variant % 5 === 0 ? due + 1 : due, payment: this.newPayment() },
      request_drivers: { drivers: ['d', 'd2', 'd3'], wave: booking.wave + 1, next_at: this.now + 30_000 },
      assign_driver: { driver: 'd', reason: variant % 4 === 0 ? undefined : 'closer' },
      start: { otp: variant % 3 === 0 ? '00000' : '12345' },
      reach: {
        track:
          variant % 4 === 0
            ? null
            : { distance: variant % 17, distance_filled: 0, distance_source: 'track', distance_unmatched: 0 },
      },
      deliver: { stop: variant % 5 },
      fail_drop: { stop: variant % 5, reason: dropFailures[variant % 3], seen: this.seenAt(variant % 5) },
      close: { collected: [undefined, 'all', 'trip', 'nothing'][variant % 4] },
      decide_objection: {
        outcome: (['paid', 'not_paid', 'write_off'] as const)[variant % 3],
        returned: (variant % 2) * 10 * unit,
        waived: 0,
      },
      change: this.changeOf(variant),
      choose_payment: {
        payment_mode: paymentModes[variant % paymentModes.length],
        promo: [undefined, null, this.promo('p', 20), this.promo('q', 500)][variant % 4],
      },
      cancel: {
        reason: variant % 4 === 0 ? 'rider_no_show' : 'other',
        waited: waitedFrom(booking.arrival_received_at ?? 0),
        next: { id: `b${this.bookings.length + 1}`, booking_id: 'NEXT23', otp: '12345' },
      },
    }
    return inputFor(command, differences[command])
  }

  /** A new drop, pickup, time or car type, each with its own price. */
  private changeOf(variant: number): object {
    const place = { lat: -34.86, lng: -56.1 + variant / 1e5, add: `Place ${variant}` }
    const route = { distanceKm: 1 + (variant % 23), durationS: 60 * (variant % 41), polyline: '' }
    const carType = {
      id: variant % 2 ? 'ct' : 'ct2',
      name: 'Comfort',
      image: null,
      fare_rule: { ...plain.fare_rule, base_fare: 35 * unit },
      cancel_slab: plain.cancel_slab,
      parcel_types: [],
      options: [],
      seats: 4,
    }
    const tripdate = this.now + (10 + (variant % 50)) * minute
    return [
      { drop: place, route },
      { pickup: place, route, driveSeconds: 240 },
      { bookLater: variant % 3 > 0, tripdate },
      { carType },
      { pickup: place, route, carType, bookLater: true, tripdate },
    ][variant % 5] as object
  }

  apply(decision: Decision): void {
    const before = this.booking
    this.entries.push(...decision.entries)
    this.bookings[this.bookings.length - 1] = {
      ...before,
      ...decision.changes,
      version: before.version + 1,
    }
    if (this.delivery) {
      const changed = new Map([...this.delivery.stops, ...decision.stops].map((stop) => [stop.n, stop]))
      this.delivery = { ...this.delivery, stops: [...changed.values()] }
    }
    for (const effect of decision.effects) this.carryOut(effect)
  }

  private carryOut(effect: Effect): void {
    switch (effect.kind) {
      case 'claim_driver':
        if (this.busy.has(effect.driver)) throw new Error('claimed twice')
        this.busy.add(effect.driver)
        break
      case 'free_driver':
        if (!this.busy.delete(effect.driver)) throw new Error('freed twice')
        break
      case 'ask_drivers':
        this.requested = [...new Set([...this.requested, ...effect.drivers])]
        break
      case 'remove_requests':
        this.requested = []
        break
      case 'remove_request':
        this.requested = this.requested.filter((id) => id !== effect.driver)
        break
      case 'reserve_promo':
        this.promoUses.set(effect.promo, (this.promoUses.get(effect.promo) ?? 0) + 1)
        break
      case 'release_promo':
        this.promoUses.set(effect.promo, (this.promoUses.get(effect.promo) ?? 0) - 1)
        break
      case 'rebook':
        this.bookings.push(effect.booking)
        this.delivery = effect.delivery
        break
      default:
    }
  }

  /** Positions of a courier who waited at a stop. */
  private seenAt(n: number) {
    const place = this.delivery?.stops.find((stop) => stop.n === n)?.place
    return place
      ? Array.from({ length: 9 }, (_, index) => ({ ...place, at: this.now - index * minute })).reverse()
      : []
  }

  private isOnward(by: CommandAuthor, command: BookingCommand): boolean {
    if (command === 'accept') return by.id !== null && this.requested.includes(by.id)
    if (command === 'request_drivers') return this.requested.length === 0
    if (command === 'deliver' || command === 'fail_drop') return true
    const { to }: Transition = transitions[command]
    const at = bookingStatuses.indexOf(this.booking.status)
    return to !== 'stay' && !to.includes('CANCELLED') && to.some((one) => bookingStatuses.indexOf(one) > at)
  }

  private isTheirs(by: CommandAuthor): boolean {
    if (by.role === 'rider') return by.id === 'r'
    return by.role !== 'driver' || this.booking.driver === null || this.booking.driver === by.id
  }

  private driverFacts(id: string): DriverFacts {
    return { ...driver, id, queue: this.busy.has(id), walletBalance: this.balanceOf(`user:${id}`) }
  }

  private promo(id: string, amount: number): Promo {
    return {
      id,
      promo_name: id,
      promo_discount_type: 'flat',
      promo_discount_value: amount * unit,
      max_promo_discount_value: 0,
      min_order: 60 * unit,
      promo_validity: start + 1e6 * minute,
      promo_usage_limit: 1,
      user_avail: this.promoUses.get(id) ?? 0,
    }
  }
}

const commanders: readonly [ActorRole, string | null][] = [
  ['rider', 'r'],
  ['rider', 'stranger'],
  ['driver', 'd'],
  ['driver', 'd2'],
  ['driver', 'd3'],
  ['driver', 'stranger'],
  ['fleetadmin', 'f'],
  ['admin', 'a'],
  ['system', null],
]
const people: readonly CommandAuthor[] = commanders.map(([role, id]) => ({ role, id }))
