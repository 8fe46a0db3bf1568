import fc from 'fast-check'
import { expect } from 'vitest'
import { bookingIn, factsFor, inputFor, minute, riderWith, start } from '../booking/booking.fixture.ts'
import type { Booking } from '../booking/booking.ts'
import { decide } from '../booking/decide.ts'
import type { RiderFacts } from '../booking/facts.ts'
import { outstandingOf, toCollect } from '../booking/outstanding.ts'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import type { Actor } from '../users/roles.ts'
import { Books } from './books.fixture.ts'
import { type Due, dueWaived, releases } from './dues.ts'
import type { Entry } from './ledger.ts'
import { disputeFee, refundAsked, refundConfirmed, refundFailed, refundReversed } from './refund-entries.ts'
import { lateCapture } from './trip-entries.ts'
import {
  cashBanked,
  cashReceived,
  cashReversed,
  topUp,
  withdrawAsked,
  withdrawRefused,
} from './user-entries.ts'
import { withdrawRefusal } from './withdraw.ts'

interface Operation {
  kind: number
  amount: number
  pick: number
}

/** One rider with many trips, drivers who wait for fees, and everything that moves the rider's money. */
class DebtCity {
  readonly books = new Books()
  readonly happened = new Map<string, number>()
  private readonly trips = new Map<string, Booking>()
  private dues: Due[] = []
  private receipts: { id: string; user: string; amount: number }[] = []
  private withdrawals: { id: string; amount: number }[] = []
  private made = 0
  private now = start + 30 * minute
  private credited = 0
  private paidIn = 0

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
      () => this.prepaidTrip(amount),
      () => this.object(pick),
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
    operations[kind % operations.length]?.()
    this.release()
    this.check()
  }

  private get balance(): number {
    return this.books.balanceOf('user:r')
  }

  private rider(booking: Booking): RiderFacts {
    const others = [...this.trips.values()].filter(({ id }) => id !== booking.id)
    return riderWith(this.balance, {
      unpaid: others.filter(({ status, objection }) => status === 'PENDING' && objection !== 'open'),
      contested: others
        .filter(({ status, objection }) => status === 'PAID' && objection === 'open')
        .reduce((sum, { outstanding_amount }) => sum + (outstanding_amount ?? 0), 0),
    })
  }

  private give(booking: Booking, actor: Actor, command: Parameters<typeof inputFor>[0], more: object = {}) {
    const by = { actor, id: actor === 'driver' ? booking.driver : factsFor(booking, actor).by.id }
    const facts = factsFor(booking, actor, { by, rider: this.rider(booking) })
    const decision = decide(facts, inputFor(command, more), this.now)
    if (decision instanceof Refusal) return null
    this.trips.set(booking.id, { ...booking, ...decision.changes, version: booking.version + 1 })
    for (const { booking: other, changes } of decision.also) {
      this.trips.set(other.id, { ...other, ...changes, version: other.version + 1 })
    }
    this.post(command, decision.entries)
    return decision
  }

  private fee(): void {
    const times = { accepted_at: this.now - 3 * minute, promised_arrival: this.now }
    const booking = bookingIn('ACCEPTED', { id: this.id(), driver: this.driver(), ...times })
    this.give(booking, 'rider', 'cancel', {})
  }

  private reached(difference: Partial<Booking> = {}): Booking {
    const booking = bookingIn('REACHED', { id: this.id(), driver: this.driver(), ...difference })
    return { ...booking, outstanding_amount: outstandingOf(this.rider(booking)) }
  }

  private closeCash(pick: number): void {
    const booking = this.reached()
    const { trip, total } = toCollect(booking, 0)
    const collected = (['all', 'all', 'trip', 'nothing'] as const)[pick % 4] ?? 'all'
    // What happens between the amount that was shown and the closing.
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
    const { total } = toCollect({ ...open, payment_mode: 'card' }, outstandingOf(this.rider(open)))
    this.give(open, 'system', 'settle_capture', { amount: total, payment: this.id() })
  }

  private payOther(
    command: 'pay_by_wallet' | 'confirm_cash' | 'write_off',
    actor: Actor,
    pick: number,
  ): void {
    const open = this.waiting(pick)
    if (open) this.give(open, actor, command)
  }

  /** Paid in advance with a little more or less than it costs in the end. */
  private prepaidTrip(amount: number): void {
    const paid = Math.min(amount, 220 * unit)
    const booking = this.reached({ prepaid: true, payment_mode: 'card', cardPaymentAmount: paid })
    const into = [
      { account: 'provider:stripe' as const, amount: -paid },
      { account: `trip:${booking.id}` as const, amount: paid },
    ]
    this.post('advance', [{ kind: 'card_payment', key: this.id(), booking: booking.id, legs: into }])
    this.give(booking, 'driver', 'close')
  }

  private object(pick: number): void {
    const all = [...this.trips.values()].filter(({ cash_answer }) => cash_answer !== null)
    const booking = all[pick % Math.max(1, all.length)]
    if (booking) this.give(booking, 'rider', 'object')
  }

  private decideObjection(pick: number): void {
    const booking = [...this.trips.values()].find(({ objection }) => objection === 'open')
    const outcome = (['paid', 'not_paid', 'write_off'] as const)[pick % 3]
    if (booking) this.give(booking, 'admin', 'decide_objection', { outcome, reason: 'checked' })
  }

  private withdraw(amount: number): void {
    const wish = { amount, bankName: 'b', bankCode: '', bankAccount: 'a' }
    const person = { usertype: 'rider' as const, walletBalance: this.balance }
    if (withdrawRefusal(person, wish, { RiderWithDraw: true, decimal: 4 })) return
    const id = this.id()
    this.withdrawals.push({ id, amount })
    this.post('withdraw', [withdrawAsked(id, 'r', amount)])
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
    this.post('refund', [refundAsked(refund), refundConfirmed(refund, { rider: 'r' })])
  }

  /** A bank demands money back, for a fee: lost, won, or lost and won by an appeal. */
  private chargeback(amount: number, pick: number): void {
    const platform = { platform: true as const }
    const bearer = pick % 2 === 0 ? { wallet: 'r' } : platform
    const refund = { id: this.id(), booking: null, amount, bearer }
    const fee = (1 + (pick % 20)) * unit
    const before = this.books.balanceOf('platform')
    this.post('chargeback', [refundAsked(refund), disputeFee(refund, 'stripe', fee, 1)])
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
    const due = this.dues[pick % Math.max(1, this.dues.length)]
    if (due) this.post('waive', [dueWaived(due)])
  }

  /** The reaction to a balance that rose. */
  private release(): void {
    const entries = releases(this.dues, this.balance)
    this.credited += entries.reduce((sum, { legs }) => sum + (legs[1]?.amount ?? 0), 0)
    this.post('release', entries)
  }

  private check(): void {
    const open = this.dues.reduce((sum, due) => sum + due.open, 0)
    expect(this.books.sum).toBe(0)
    expect(open).toBeGreaterThanOrEqual(0)
    expect(open).toBeLessThanOrEqual(Math.max(0, -this.balance))
    expect(this.books.balanceOf('cash_desk')).toBeLessThanOrEqual(0)
    expect(this.credited).toBeLessThanOrEqual(this.paidIn)
    for (const { id, status } of this.trips.values()) {
      if (status === 'PAID' || status === 'CANCELLED') expect(this.books.balanceOf(`trip:${id}`)).toBe(0)
    }
    // Trips that have ended and that nobody can object to any more are of no more use.
    for (const [id, { status, cash_answer, objection }] of this.trips) {
      const isOver =
        status === 'CANCELLED' || (status === 'PAID' && (cash_answer !== 'trip' || objection !== null))
      if (isOver && objection !== 'open') this.trips.delete(id)
    }
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

  private post(name: string, entries: readonly Entry[]): void {
    this.books.post(entries)
    if (entries.length > 0) this.happened.set(name, (this.happened.get(name) ?? 0) + 1)
    for (const { booking, legs } of entries) {
      for (const { account, amount } of legs) {
        if (account === 'user:r' && amount > 0) this.paidIn += amount
        if (account.startsWith('due:') && booking !== null) this.move(booking, amount)
      }
    }
  }

  private move(booking: string, amount: number): void {
    const known = this.dues.find((due) => due.booking === booking)
    const driver = this.trips.get(booking)?.driver ?? ''
    const open = (known?.open ?? 0) + amount
    const changed = known ? { ...known, open } : { booking, rider: 'r', driver, open }
    this.dues = known ? this.dues.map((due) => (due === known ? changed : due)) : [...this.dues, changed]
    this.dues = this.dues.filter((due) => due.open > 0)
  }
}

const operationsARun = 200

const walks = fc.array(
  fc.record({
    kind: fc.nat(19),
    amount: fc.integer({ min: 1, max: 800 }).map((value) => (value * unit) / 4),
    pick: fc.nat(1_000),
  }),
  { minLength: operationsARun, maxLength: operationsARun, size: 'max' },
)

/** Random operations with debts; throws where an invariant does not hold. Answers with how often each took place. */
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

/** Each of these has to take place, or it was not tested. */
export const operationNames = [
  'cancel',
  'close',
  'settle_capture',
  'pay_by_wallet',
  'confirm_cash',
  'write_off',
  'decide_objection',
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
