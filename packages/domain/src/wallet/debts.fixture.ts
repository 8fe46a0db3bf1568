import fc from 'fast-check'
import { expect } from 'vitest'
import { contestedOf, dueOf, outstandingOf, owedOf, toCollect, unpaidOf } from '../bookings/amounts.ts'
import { bookingIn, factsFor, inputFor, minute, riderWith, start } from '../bookings/booking.fixture.ts'
import type { Booking } from '../bookings/booking.ts'
import { decide } from '../bookings/decide.ts'
import type { Decision } from '../bookings/decision.ts'
import type { RiderFacts } from '../bookings/facts.ts'
import { objectionTo } from '../bookings/objection.ts'
import { delivery as plainDelivery } from '../deliveries/delivery.fixture.ts'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import type { ActorRole } from '../users/roles.ts'
import { Books } from './books.fixture.ts'
import { DriverClaims } from './claims.fixture.ts'
import { dueWaived } from './dues.ts'
import { type Entry, sumOf } from './ledger.ts'
import {
  disputeFee,
  refundConfirmed,
  refundFailed,
  refundRequested,
  refundReversed,
} from './refund-entries.ts'
import { lateCapture } from './trip-entries.ts'
import {
  cashBanked,
  cashReceived,
  cashReversed,
  topUp,
  withdrawRefused,
  withdrawRequested,
} from './user-entries.ts'
import { withdrawRefusal } from './withdraw.ts'

interface Operation {
  kind: number
  amount: number
  pick: number
}

/** One rider with many trips, drivers with open dues, and every operation that moves the rider's money. */
class DebtCity {
  readonly books = new Books()
  readonly happened = new Map<string, number>()
  private readonly trips = new Map<string, Booking>()
  private receipts: { id: string; user: string; amount: number }[] = []
  private withdrawals: { id: string; amount: number }[] = []
  private made = 0
  private now = start + 30 * minute
  private readonly claims = new DriverClaims((booking) => this.trips.get(booking)?.driver ?? '')
  /** True if new money may pay unpaid trips. */
  private mayCollect = false

  step({ kind, amount, pick }: Operation): void {
    this.now += minute
    const operations = [
      () => this.fee(),
      () => this.closeCash(pick),
      () => this.closeCash(pick),
      () => this.payByCard(pick),
      () => this.payOther('pay_by_wallet', 'rider', pick),
      () => this.payOther('confirm_cash', 'driver', pick),
      () => this.payOther('write_off', 'admin', pick),
      () => this.prepaidTrip(amount, pick),
      () => this.prepaidTrip(amount, pick, withReturnLeg),
      () => this.unpaidReturn(pick),
      () => this.closeCash(3),
      () => this.object(pick),
      () => this.object(pick),
      () => this.object(pick),
      () => this.decideObjection(pick),
      () => this.decideObjection(pick),
      () => this.post('top_up', [topUp('r', { provider: 'stripe', amount, payment: this.id() })]),
      () =>
        this.post('late', lateCapture(this.id(), 'r', { provider: 'stripe', amount, payment: this.id() })),
      () => this.withdraw(amount),
      () => this.refuseWithdrawal(),
      () => this.receive(pick, amount),
      () => this.reverse(),
      () => this.bank(amount),
      () => this.refund(amount),
      () => this.chargeback(amount, pick),
      () => this.waive(pick),
    ]
    this.claims.received = 0
    operations[kind % operations.length]?.()
    this.post('release', this.claims.release(this.balance))
    this.collect()
    this.post('release', this.claims.release(this.balance))
    this.check()
  }

  private get balance(): number {
    return this.books.balanceOf('user:r')
  }

  private get rider(): RiderFacts {
    return riderWith(this.balance, { trips: [...this.trips.values()] })
  }

  /** Decides on loaded facts, and applies the decision after `between`, which may have changed the balance. */
  private give(
    booking: Booking,
    actor: ActorRole,
    command: Parameters<typeof inputFor>[0],
    more: object = {},
    between: () => void = () => {},
  ): void {
    const by = { role: actor, id: actor === 'driver' ? booking.driver : factsFor(booking, actor).by.id }
    const delivery = booking.fare_parts.return_leg ? returnedDelivery : null
    const facts = factsFor(booking, actor, { by, rider: this.rider, delivery })
    const decision = decide(facts, inputFor(command, more), this.now)
    if (decision instanceof Refusal) return
    between()
    const isFloored = !booking.prepaid && decision.entries.some(({ kind }) => kind === 'wallet_payment')
    const paid = sumOf(decision.entries, 'user:r')
    // The database would refuse it, and the command would be decided again.
    if (isFloored && this.balance + paid < 0) return
    const before = this.rider
    this.trips.set(booking.id, { ...booking, ...decision.changes, version: booking.version + 1 })
    for (const { booking: other, changes } of decision.otherTrips) {
      this.trips.set(other.id, { ...other, ...changes, version: other.version + 1 })
    }
    const missing = Math.max(0, Math.max(0, -this.balance - paid) - Math.max(0, -this.balance))
    if (command === 'cancel')
      this.claims.add(booking.id, decision.changes.cancellation_fee ?? 0, -paid, missing)
    if (booking.prepaid && command === 'close')
      this.claims.add(booking.id, booking.driver_share, -paid, missing)
    this.post(command, decision.entries)
    this.checkSettled(booking, before, decision, more)
  }

  /** A settled debt is not collected again, and a contested amount is settled in full. */
  private checkSettled(booking: Booking, before: RiderFacts, { changes }: Decision, more: object): void {
    const after = this.rider
    const toRider = Math.max(0, after.walletBalance) - Math.max(0, before.walletBalance)
    if (changes.outstanding_collected || changes.objection) {
      for (const trip of unpaidOf(after)) expect(dueOf(trip)).toBeGreaterThan(toRider)
    }
    if (changes.objection === 'open' && changes.contested_amount !== undefined) {
      expect(contestedOf(after)).toBeLessThanOrEqual(Math.max(contestedOf(before), owedOf(after)))
    }
    const { outcome, returned = 0 } = more as { outcome?: string; returned?: number }
    if (outcome === undefined) return
    if (booking.objection_to === 'return_leg') {
      const most = booking.status === 'PENDING' ? returnCost : booking.customer_paid - returned
      const writtenOff = outcome === 'write_off' ? Math.max(0, Math.min(returnCost, most)) : 0
      expect(netOf(after) - netOf(before)).toBe(writtenOff)
      this.count(`return leg ${outcome} ${booking.status}`)
      return
    }
    const besides = {
      paid: booking.outstanding_amount ?? 0,
      write_off: Math.min(booking.contested_amount, owedOf(before, booking)),
    }[outcome]
    const trip = booking.status === 'PENDING' ? dueOf(booking) : 0
    expect(netOf(after) - netOf(before)).toBe(besides === undefined ? 0 : trip + besides)
    this.count(`decided ${outcome}`)
    this.count(`decided ${booking.status}`)
  }

  private fee(): void {
    const times = { accepted_at: this.now - 3 * minute, promised_arrival: this.now }
    const booking = bookingIn('ACCEPTED', { id: this.id(), driver: this.driver(), ...times })
    this.give(booking, 'rider', 'cancel', {})
  }

  private reached(difference: Partial<Booking> = {}): Booking {
    const booking = bookingIn('REACHED', { id: this.id(), driver: this.driver(), ...difference })
    return { ...booking, outstanding_amount: outstandingOf(this.rider) }
  }

  private closeCash(pick: number): void {
    const booking = this.reached()
    const { trip, total } = toCollect(booking, 0)
    const collected = (['all', 'all', 'trip', 'nothing'] as const)[pick % 4] ?? 'all'
    // The balance may change between showing the amount and closing the trip.
    if (pick % 7 === 0) this.post('top_up', [topUp('r', { provider: 's', amount: unit, payment: this.id() })])
    const amount = { all: total, trip, nothing: 0 }[collected]
    this.give(booking, 'driver', 'close', { collected, amount })
  }

  private payByCard(pick: number): void {
    const open = this.waiting(pick) ?? {
      ...this.reached(),
      status: 'PENDING' as const,
      payment_mode: 'card' as const,
    }
    const { total } = toCollect({ ...open, payment_mode: 'card' }, outstandingOf(this.rider, open))
    this.give(open, 'system', 'settle_capture', { amount: total, payment: this.id() })
  }

  private payOther(
    command: 'pay_by_wallet' | 'confirm_cash' | 'write_off',
    actor: ActorRole,
    pick: number,
  ): void {
    const open = this.waiting(pick)
    if (open) this.give(open, actor, command, {}, () => pick % 3 === 0 && this.withdraw(this.balance))
  }

  /** Paid in advance, with a final price slightly higher or lower. The wallet may be emptied while it ends. */
  private prepaidTrip(amount: number, pick: number, more: Partial<Booking> = {}): void {
    const paid = Math.min(amount, 220 * unit)
    const booking = this.reached({ ...more, prepaid: true, payment_mode: 'card', cardPaymentAmount: paid })
    const into = [
      { account: 'provider:stripe' as const, amount: -paid },
      { account: `trip:${booking.id}` as const, amount: paid },
    ]
    this.post('advance', [{ kind: 'card_payment', key: this.id(), booking: booking.id, legs: into }])
    this.give(booking, 'driver', 'close', {}, () => {
      if (pick % 3 > 0 || this.balance <= 0) return
      this.withdraw(this.balance)
      this.count('raced')
    })
  }

  /** A delivery that is not paid at its end; its sender may object, and an admin decide, at once. */
  private unpaidReturn(pick: number): void {
    const booking = this.reached({ ...withReturnLeg, payment_mode: 'card' })
    this.give(booking, 'driver', 'close')
    const closed = this.trips.get(booking.id)
    if (closed && pick % 2 === 0) this.give(closed, 'rider', 'object')
    const objected = this.trips.get(booking.id)
    const outcome = pick % 8 === 0 ? 'not_paid' : 'write_off'
    if (objected && pick % 4 === 0)
      this.give(objected, 'admin', 'decide_objection', { outcome, reason: 'checked' })
  }

  private object(pick: number): void {
    const asked = outstandingOf(this.rider)
    const all = [...this.trips.values()].filter((one) => objectionTo(one, asked))
    const isUnpaid = ({ status }: Booking) => status === 'PENDING'
    const booking = (pick % 4 > 0 && all.find(isUnpaid)) || all[pick % Math.max(1, all.length)]
    if (booking) this.give(booking, 'rider', 'object')
  }

  private decideObjection(pick: number): void {
    const open = [...this.trips.values()].filter(({ objection }) => objection === 'open')
    const isUnpaid = ({ status }: Booking) => status === 'PENDING'
    const booking = (pick % 4 > 0 && open.find(isUnpaid)) || open[pick % Math.max(1, open.length)]
    const outcome = (['paid', 'not_paid', 'write_off'] as const)[Math.floor(pick / 7) % 3]
    const returned = (pick % 3) * 50 * unit
    if (booking) this.give(booking, 'admin', 'decide_objection', { outcome, reason: 'checked', returned })
  }

  private withdraw(amount: number): void {
    const wish = { amount, bankName: 'b', bankCode: '', bankAccount: 'a' }
    const person = { usertype: 'rider' as const, walletBalance: this.balance }
    if (withdrawRefusal(person, wish, { RiderWithDraw: true, decimal: 4 })) return
    const id = this.id()
    this.withdrawals.push({ id, amount })
    this.post('withdraw', [withdrawRequested(id, 'r', amount)])
    expect(this.balance).toBeGreaterThanOrEqual(0)
  }

  private refuseWithdrawal(): void {
    const found = this.withdrawals.pop()
    if (found) this.post('withdraw_refused', [withdrawRefused(found.id, 'r', found.amount)])
  }

  private receive(pick: number, amount: number): void {
    const receipt = { id: this.id(), user: pick % 3 === 0 ? 'd1' : 'r', amount }
    this.receipts.push(receipt)
    this.post('cash', [cashReceived(receipt.id, receipt.user, amount)])
  }

  private reverse(): void {
    const receipt = this.receipts.pop()
    if (!receipt || -this.books.balanceOf('cash_desk') < receipt.amount) return
    this.post('cash_reversed', [cashReversed(receipt.id, receipt.user, receipt.amount)])
  }

  private bank(amount: number): void {
    if (-this.books.balanceOf('cash_desk') >= amount) this.post('banked', [cashBanked(this.id(), amount)])
  }

  private refund(amount: number): void {
    const refund = { id: this.id(), booking: null, amount, bearer: { platform: true as const } }
    this.post('refund', [refundRequested(refund), refundConfirmed(refund, { rider: 'r' })])
  }

  /** A chargeback with a fee: lost, won, or lost and won on appeal. */
  private chargeback(amount: number, pick: number): void {
    const platform = { platform: true as const }
    const bearer = pick % 2 === 0 ? { wallet: 'r' } : platform
    const refund = { id: this.id(), booking: null, amount, bearer }
    const fee = (1 + (pick % 20)) * unit
    const before = this.books.balanceOf('platform')
    this.post('chargeback', [refundRequested(refund), disputeFee(refund, 'stripe', fee, 1)])
    const isWon = pick % 3 !== 0
    if (pick % 3 === 1) this.post('won', [refundFailed(refund)])
    else this.post('lost', [refundConfirmed(refund, { provider: 'stripe' })])
    if (pick % 3 === 2) this.post('appeal_won', [refundReversed(refund, 'stripe')])
    if (isWon) this.post('fee_returned', [disputeFee(refund, 'stripe', -fee, 2)])
    const borne = isWon ? 0 : fee + (bearer === platform ? amount : 0)
    expect(before - this.books.balanceOf('platform')).toBe(borne)
    expect(this.books.balanceOf('refund')).toBe(0)
  }

  private waive(pick: number): void {
    const { dues } = this.claims
    const due = dues[pick % Math.max(1, dues.length)]
    if (due) this.post('waive', [dueWaived(due)])
  }

  /** Pays unpaid trips after the rider added money. */
  private collect(): void {
    if (!this.mayCollect) return
    this.mayCollect = false
    for (const trip of unpaidOf(this.rider)) this.give(trip, 'system', 'pay_by_wallet')
    for (const trip of unpaidOf(this.rider)) expect(dueOf(trip)).toBeGreaterThan(this.balance)
  }

  private check(): void {
    const flaws = this.flaws()
    if (flaws.length > 0) expect(flaws).toEqual([])
    this.claims.forget(this.books)
    // Drops trips that have ended and can no longer be objected to.
    for (const [id, trip] of this.trips) {
      const isOver =
        trip.status === 'CANCELLED' || (trip.status === 'PAID' && objectionTo(trip, this.balance) === null)
      if (isOver && trip.objection !== 'open') this.trips.delete(id)
    }
  }

  private flaws(): string[] {
    const { books } = this
    const flaws = [
      ...(books.sum === 0 ? [] : ['sum']),
      ...(books.balanceOf('cash_desk') <= 0 ? [] : ['cash desk']),
      ...this.claims.flaws(books),
    ]
    for (const { id, status } of this.trips.values()) {
      const isEmpty = !['PAID', 'CANCELLED'].includes(status) || books.balanceOf(`trip:${id}`) === 0
      if (!isEmpty) flaws.push(`escrow of ${id}`)
    }
    return flaws
  }

  private waiting(pick: number): Booking | undefined {
    const open = [...this.trips.values()].filter(({ status }) => status === 'PENDING')
    return open[pick % Math.max(1, open.length)]
  }

  private driver(): string {
    return `d${this.made % 3}`
  }

  private id(): string {
    this.made += 1
    return `x${this.made}`
  }

  private count(name: string): void {
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1)
  }

  private post(name: string, entries: readonly Entry[]): void {
    this.books.post(entries)
    if (entries.length > 0) this.count(name)
    if (['top_up', 'late', 'cash', 'decide_objection'].includes(name)) this.mayCollect = true
    if (entries.some(({ kind }) => kind === 'debt_collected')) this.mayCollect = true
    for (const entry of entries) this.claims.apply(entry)
  }
}

const returnCost = 25 * unit
const withReturnLeg: Partial<Booking> = {
  fare_parts: { ...bookingIn('REACHED').fare_parts, return_leg: 20 * unit },
}
const returnedDelivery = { ...plainDelivery, return_leg: { ...plainDelivery.return_leg, cost: returnCost } }

/** A rider's balance, minus all unpaid trips. */
const netOf = ({ walletBalance, trips }: RiderFacts) =>
  trips.reduce((sum, trip) => sum - (trip.status === 'PENDING' ? dueOf(trip) : 0), walletBalance)

const operationsARun = 200

const walks = fc.array(
  fc.record({
    kind: fc.nat(25),
    amount: fc.integer({ min: 1, max: 800 }).map((value) => (value * unit) / 4),
    pick: fc.nat(1_000),
  }),
  { minLength: operationsARun, maxLength: operationsARun, size: 'max' },
)

/** Random operations with debts; throws when an invariant is violated. Returns how often each operation ran. */
export function walkWithDebts(operations: number): Map<string, number> {
  const happened = new Map<string, number>()
  fc.assert(
    fc.property(walks, (walk) => {
      const city = new DebtCity()
      for (const operation of walk) city.step(operation)
      expect(city.books.flaws()).toEqual([])
      for (const [name, times] of city.happened) happened.set(name, (happened.get(name) ?? 0) + times)
    }),
    { numRuns: operations / operationsARun },
  )
  return happened
}

/** Each of these has to run at least once, otherwise it was not tested. */
export const operationNames = [
  'cancel',
  'close',
  'settle_capture',
  'pay_by_wallet',
  'confirm_cash',
  'write_off',
  'decide_objection',
  'decided paid',
  'decided not_paid',
  'decided write_off',
  'decided PENDING',
  'decided PAID',
  'return leg write_off PAID',
  'return leg write_off PENDING',
  'return leg not_paid PAID',
  'return leg not_paid PENDING',
  'raced',
  'release',
  'waive',
  'cash_reversed',
  'banked',
  'chargeback',
  'won',
  'lost',
  'appeal_won',
  'fee_returned',
  'withdraw',
] as const
