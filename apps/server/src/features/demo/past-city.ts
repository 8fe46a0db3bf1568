import { dueOf, isByCard } from '@hansom/domain/bookings/amounts'
import type { Booking, CommandAuthor } from '@hansom/domain/bookings/booking'
import { type Created, createBooking } from '@hansom/domain/bookings/create'
import { decide } from '@hansom/domain/bookings/decide'
import type { BookingEvent, Decision } from '@hansom/domain/bookings/decision'
import type { CommandInput, DriverFacts } from '@hansom/domain/bookings/facts'
import { bookingCode, type CreateFacts } from '@hansom/domain/bookings/new-booking'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { Refusal } from '@hansom/domain/error-keys'
import type { Promo } from '@hansom/domain/fare/promo'
import { averageRating } from '@hansom/domain/users/profile'
import type { CurrentSettings } from '../settings/service.ts'
import type { UserRow } from '../users/table.ts'
import { demoReasonTexts } from './city-data.ts'
import type { PastTrip } from './history-plan.ts'
import { changeStops, deliveryFacts, visitStops } from './past-deliveries.ts'
import { PastLedger } from './past-ledger.ts'
import type { PastRoute } from './past-routes.ts'
import type { DemoPrices } from './prices.ts'

export type CarType = NonNullable<CreateFacts['carType']>

/** The input of the simulation. People are in the order of the plan. */
export interface PastWorld {
  settings: CurrentSettings
  pesos: DemoPrices
  /** Nothing happens after this time, epoch ms. */
  now: number
  riders: readonly UserRow[]
  drivers: readonly UserRow[]
  admin: string
  carTypes: ReadonlyMap<string, CarType>
  promos: readonly Promo[]
  routes: readonly PastRoute[]
  cardAvailable: boolean
}

export interface PastRating {
  booking_id: string
  user_id: string
  rated_by: string
  rate: number
  at: number
}

/** A simulated sequence of events; each `yield` is the time of its next step, epoch ms. */
export type Simulation = Generator<number, void, void>

export const minuteMs = 60_000

/**
 * Simulates the platform's past in memory: trips run through the domain's rules, step by step in order of time, and the
 * resulting rows are collected here to be written together. No event is published.
 */
export class PastCity extends PastLedger {
  readonly events: (BookingEvent & { booking_id: string; version: number })[] = []
  readonly ratings: PastRating[] = []
  readonly visits: { user: string; point: Booking['drop'] }[] = []
  readonly promoUses = new Map<string, number>()
  readonly world: PastWorld
  private readonly reasonTexts: ReturnType<typeof demoReasonTexts>
  private readonly rated = new Map<string, { sum: number; count: number }>()
  private readonly travelling = new Set<string>()
  private readonly busy = new Set<string>()
  private readonly codes = new Set<string>()

  constructor(world: PastWorld) {
    super()
    this.world = world
    this.reasonTexts = demoReasonTexts(world.settings.category)
  }

  /** Runs the simulations until now; later steps do not happen. */
  run(courses: readonly { at: number; course: Simulation }[]): void {
    const waiting = [...courses].sort((one, other) => other.at - one.at)
    for (let next = waiting.pop(); next !== undefined && next.at <= this.world.now; next = waiting.pop()) {
      this.now = next.at
      const step = next.course.next()
      if (step.done) continue
      const at = Math.round(step.value)
      let place = waiting.length
      while (place > 0 && (waiting[place - 1]?.at ?? 0) < at) place -= 1
      waiting.splice(place, 0, { at, course: next.course })
    }
  }

  /**
   * Simulates one trip, from the booking to the rating; calls `complain` about a day later when the plan has a refund.
   */
  *trip(plan: PastTrip, complain: (booking: Booking) => void): Simulation {
    const rider = this.world.riders[plan.rider]
    const chosen = this.world.drivers[plan.driver]
    const route = this.world.routes[plan.route]
    const carType = this.world.carTypes.get(chosen?.car_type_id ?? '')
    if (!rider || !carType || !route) return
    if (plan.tripdate === null && this.travelling.has(rider.id)) return
    const by = { role: 'rider', id: rider.id } as const
    const made = this.create(plan, rider, carType, route)
    if (made === null) return
    const { id } = made
    const after = (least: number, most: number) => this.now + (least + this.chance() * (most - least)) * 1000
    this.travelling.add(rider.id)
    try {
      if (made.status === 'PAYMENT_PENDING') {
        yield after(20, 60)
        this.payInAdvance(made, rider)
      }
      if (plan.tripdate !== null) {
        this.travelling.delete(rider.id)
        yield plan.tripdate - this.world.settings.dispatch.leadMinutes * minuteMs + 1000
      }
      if (plan.ending === 'cancelled_waiting') {
        yield after(50, 150)
        return this.command(by, id, { command: 'cancel', reason: this.reasonTexts.starter_plans })
      }
      const driver = this.findDriver(carType.id, plan.driver)
      if (plan.ending === 'no_driver' || driver === null) {
        yield after(200, 260)
        return this.command(system, id, { command: 'find_no_driver' })
      }
      this.busy.add(driver.id)
      try {
        yield* this.drive(plan, id, rider, driver, after)
      } finally {
        this.busy.delete(driver.id)
      }
    } finally {
      this.travelling.delete(rider.id)
    }
    yield* this.judge(plan, id, rider, after)
    if (!plan.refunded || this.bookingOf(id).status !== 'COMPLETE') return
    yield after(2 * 3600, 30 * 3600)
    complain(this.bookingOf(id))
  }

  private *drive(
    plan: PastTrip,
    id: string,
    rider: UserRow,
    driver: UserRow,
    after: (least: number, most: number) => number,
  ): Simulation {
    const by = { role: 'driver', id: driver.id } as const
    const driveSeconds = 150 + this.chance() * 330
    yield after(3, 22)
    this.command(by, id, { command: 'accept', driveSeconds }, driver)
    if (plan.ending === 'cancelled_accepted') {
      // A wallet with money in it pays the fee of a late cancellation.
      const isLate = this.balanceOf(rider.id) > this.world.pesos(150)
      yield isLate ? after(130, 320) : after(30, 100)
      return this.command({ role: 'rider', id: rider.id }, id, {
        command: 'cancel',
        reason: isLate ? this.reasonTexts.starter_wait : this.reasonTexts.starter_other_ride,
      })
    }
    yield after(driveSeconds * 0.9, driveSeconds * 1.2)
    this.command(by, id, { command: 'arrive' })
    yield after(40, 150)
    const { pickup, drop, estimateDistance, estimateTime } = this.bookingOf(id)
    this.command(by, id, { command: 'start', location: pickup })
    if (this.deliveries.has(id)) yield* visitStops(this, (input) => this.command(by, id, input), id, after)
    else yield after(estimateTime * 0.9, estimateTime * 1.25)
    const distance = Math.round(estimateDistance * (0.97 + this.chance() * 0.1) * 1000) / 1000
    const track = { distance, distance_filled: 0, distance_source: 'matched', distance_unmatched: 0 } as const
    this.command(by, id, { command: 'reach', location: drop, address: null, track })
    yield after(25, 70)
    this.command(by, id, { command: 'close', collected: 'all' })
    if (this.bookingOf(id).status !== 'PENDING') return
    yield after(15, 90)
    this.settle(id, rider, driver)
  }

  private payInAdvance(booking: Booking, rider: UserRow): void {
    const due = booking.payment_mode === 'wallet' ? 0 : dueOf(booking)
    const captured = due > 0 ? this.pay(rider, due, booking) : { provider: '', amount: 0, payment: null }
    this.command(system, booking.id, { command: 'capture_payment', ...captured })
  }

  /** Pays the rest, by card or, when cards are not available, in cash. */
  private settle(id: string, rider: UserRow, driver: UserRow): void {
    const booking = this.bookingOf(id)
    if (this.world.cardAvailable) {
      if (!isByCard(booking.payment_mode)) this.choose(booking, 'card')
      const amount = dueOf(this.bookingOf(id))
      const charged = this.pay(rider, amount, booking)
      return this.command(system, id, { command: 'settle_capture', ...charged })
    }
    this.choose(booking, 'cash')
    this.command({ role: 'driver', id: driver.id }, id, { command: 'confirm_cash' })
  }

  private choose({ id, customer }: Booking, payment_mode: PaymentMode): void {
    this.command({ role: 'rider', id: customer }, id, { command: 'choose_payment', payment_mode })
  }

  private *judge(
    plan: PastTrip,
    id: string,
    rider: UserRow,
    after: (least: number, most: number) => number,
  ): Simulation {
    const { status, driver } = this.bookingOf(id)
    if (status !== 'PAID' || driver === null) return
    if (plan.riderRating !== null) {
      yield after(10, 60)
      this.command({ role: 'driver', id: driver }, id, { command: 'rate_rider', rating: plan.riderRating })
    }
    yield after(30, 600)
    const by = { role: 'rider', id: rider.id } as const
    this.command(
      by,
      id,
      plan.rating === null
        ? { command: 'skip_rating' }
        : { command: 'rate', rating: plan.rating, feedback: plan.feedback ?? undefined },
    )
  }

  /** Returns the planned driver or another one with the same car type; null when all of them are busy. */
  private findDriver(carType: string, first: number): UserRow | null {
    const { drivers } = this.world
    for (let turn = 0; turn < drivers.length; turn += 1) {
      const driver = drivers[(first + turn) % drivers.length]
      if (driver?.car_type_id === carType && !this.busy.has(driver.id)) return driver
    }
    return null
  }

  private create(plan: PastTrip, rider: UserRow, carType: CarType, route: PastRoute): Booking | null {
    const { settings, cardAvailable } = this.world
    const promo = this.world.promos.find(({ promo_name }) => promo_name === plan.promo) ?? null
    const make = (payment_mode: PaymentMode, withPromo: Promo | null) =>
      createBooking(
        {
          by: { role: 'rider', id: rider.id },
          identity: { id: this.newId(), booking_id: this.newCode(), otp: '' },
          settings,
          customer: {
            id: rider.id,
            usertype: rider.usertype,
            approved: true,
            name: nameOf(rider),
            contact: rider.mobile,
            email: rider.email,
            image: rider.profile_image,
            walletBalance: this.balanceOf(rider.id),
          },
          carType,
          pickup: route.pickup,
          drop: route.drop,
          route,
          open: { now: 0, later: 0, searching: 0 },
          driverNear: true,
          bookLater: plan.tripdate !== null,
          tripdate: plan.tripdate,
          passengers: null,
          group: null,
          payment_mode,
          inAdvance: false,
          cardAvailable,
          promo: withPromo,
          delivery: deliveryFacts(route, plan.tripdate ?? this.now, this.chance),
          agreed: null,
        },
        this.now,
      )
    const used = promo && { ...promo, user_avail: promo.user_avail + (this.promoUses.get(promo.id) ?? 0) }
    // Deliveries are paid in advance.
    const inCash = route.delivery === null ? 'cash' : 'wallet'
    const mode = plan.payment_mode === 'cash' && cardAvailable && route.delivery ? 'card' : plan.payment_mode
    const wishes = [
      () => make(mode === 'cash' ? inCash : mode, used),
      () => make(mode === 'cash' ? inCash : mode, null),
      () => make(cardAvailable ? 'card' : inCash, null),
    ]
    for (const wish of wishes) {
      const created = wish()
      if (created instanceof Refusal || !this.isCovered(created.booking)) continue
      return this.keep(created)
    }
    return null
  }

  /** Past riders always have enough money, even when the route turns out longer than planned. */
  private isCovered({ payment_mode, customer, trip_cost }: Booking): boolean {
    return payment_mode !== 'wallet' || this.balanceOf(customer) >= 1.5 * trip_cost
  }

  private keep({ booking, delivery, entries, effects, event }: Created): Booking {
    this.bookings.set(booking.id, booking)
    if (delivery) this.deliveries.set(booking.id, delivery)
    this.events.push({ ...event, booking_id: booking.id, version: booking.version })
    this.record(entries, event.by.id)
    for (const effect of effects) this.carryOut(booking, effect)
    return booking
  }

  private newCode(): string {
    for (;;) {
      const code = bookingCode(Array.from({ length: 6 }, () => this.chance()))
      if (this.codes.has(code)) continue
      this.codes.add(code)
      return code
    }
  }

  /** Runs a command. Throws its refusal, because the past is planned so that none occurs. */
  private command(by: CommandAuthor, id: string, input: CommandInput, driver?: UserRow): void {
    const booking = this.bookingOf(id)
    const decision = decide(
      {
        booking,
        delivery: this.deliveries.get(id) ?? null,
        by,
        settings: this.world.settings,
        requested: driver === undefined ? [] : [driver.id],
        wasAsked: false,
        rider: { walletBalance: this.balanceOf(booking.customer), trips: [] },
        silence: null,
        driver: driver === undefined ? null : this.driverFacts(driver, booking),
        cardAvailable: this.world.cardAvailable,
      },
      input,
      this.now,
    )
    if (decision instanceof Refusal) throw decision
    // Changes the booking in place: thirty thousand copies would fill the memory of the starting server.
    Object.assign(booking, decision.changes)
    changeStops(this.deliveries, id, decision.stops)
    booking.version += 1
    this.events.push({ ...decision.event, booking_id: id, version: booking.version })
    this.record(decision.entries, by.id)
    for (const effect of decision.effects) this.carryOut(booking, effect)
  }

  private carryOut(booking: Booking, effect: Decision['effects'][number]): void {
    const rate = (user_id: string, rated_by: string, given: number) => {
      this.ratings.push({ booking_id: booking.id, user_id, rated_by, rate: given, at: this.now })
      const { sum, count } = this.rated.get(user_id) ?? { sum: 0, count: 0 }
      this.rated.set(user_id, { sum: sum + given, count: count + 1 })
    }
    const countUse = (promo: string, more: number) =>
      this.promoUses.set(promo, (this.promoUses.get(promo) ?? 0) + more)
    if (effect.kind === 'rate_driver') rate(effect.driver, effect.by, effect.rate)
    if (effect.kind === 'rate_rider') rate(effect.rider, effect.by, effect.rate)
    if (effect.kind === 'reserve_promo') countUse(effect.promo, 1)
    if (effect.kind === 'release_promo') countUse(effect.promo, -1)
    if (effect.kind === 'save_address') this.visits.push({ user: effect.user, point: effect.point })
  }

  private driverFacts(driver: UserRow, { pickup }: Booking): DriverFacts {
    const rated = this.rated.get(driver.id)
    return {
      id: driver.id,
      usertype: driver.usertype,
      approved: driver.approved,
      queue: false,
      driverActiveStatus: true,
      location: pickup,
      located_at: this.now,
      carType: driver.car_type_id,
      walletBalance: this.balanceOf(driver.id),
      name: nameOf(driver),
      image: driver.profile_image,
      contact: driver.mobile,
      vehicle_number: driver.vehicleNumber,
      vehicle_make: driver.vehicleMake,
      vehicle_model: driver.vehicleModel,
      rating: rated === undefined ? null : averageRating(rated.sum, rated.count),
      fleetadmin: driver.fleetadmin,
      trip: null,
    }
  }
}

const system: CommandAuthor = { role: 'system', id: null }

export const nameOf = ({ firstName, lastName }: Pick<UserRow, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`
