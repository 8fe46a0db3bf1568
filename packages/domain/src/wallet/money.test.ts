import fc from 'fast-check'
import { expect, it } from 'vitest'
import { minute, riderWith } from '../bookings/booking.fixture.ts'
import { type Booking } from '../bookings/booking.ts'
import { decide } from '../bookings/decide.ts'
import type { Decision } from '../bookings/decision.ts'
import { type Step, World, type WorldOptions } from '../bookings/sequences.fixture.ts'
import { isOneOf, paymentModes } from '../bookings/status.ts'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import { Books } from './books.fixture.ts'
import type { Entry } from './ledger.ts'
import {
  mayRefund,
  type Refund,
  type RefundTarget,
  refundConfirmed,
  refundFailed,
  refundRequested,
} from './refund-entries.ts'
import { lateCapture } from './trip-entries.ts'
import {
  adminCredit,
  referralBonus,
  topUp,
  withdrawProcessed,
  withdrawRefused,
  withdrawRequested,
} from './user-entries.ts'
import { withdrawRefusal } from './withdraw.ts'

/** Number of operations in the entire run. */
const wantedOperations = 100_000
const operationsARun = 200

type Source = 'card' | 'wallet' | 'cash'
interface OpenRefund {
  refund: Refund
  target: RefundTarget
}

/** A city with every kind of money movement: trips, withdrawals, top-ups, credits, refunds, late captures. */
class MoneyCity {
  readonly books = new Books()
  private world: World
  private seen = 0
  private made = 0
  private open: { id: string; user: string; amount: number }[] = []
  private refunds: OpenRefund[] = []
  private readonly refunded = new Map<string, number>()
  readonly happened = new Map<string, number>()

  constructor(private readonly options: WorldOptions) {
    this.world = this.nextWorld()
  }

  step(kind: number, amount: number, step: Step): void {
    const operations = [
      () => this.command(step),
      () => this.command(step),
      () => this.command(step),
      () => this.command(step),
      () => this.withdraw(step.variant % 2 ? 'd' : 'r', amount),
      () => this.decideWithdraw(step.variant),
      () => this.post('top_up', [topUp('r', this.capture(amount))]),
      () => this.post('admin_credit', [adminCredit(this.id(), step.variant % 2 ? 'd' : 'r', amount)]),
      () => this.post('late_capture', lateCapture(this.world.booking.id, 'r', this.capture(amount))),
      () => this.askRefund(step.variant, amount),
      () => this.endRefund(step.variant),
      () => this.bonus(amount),
    ]
    operations[kind % operations.length]?.()
  }

  /** One command of the booking's state machine; starts a new booking once the last one has ended. */
  private command(step: Step): void {
    if (isOneOf(['COMPLETE', 'CANCELLED'], this.world.booking.status)) this.world = this.nextWorld()
    const { world } = this
    world.now += step.minutes * minute
    const { by, command } = world.choose(step)
    const facts = { ...world.factsOf(by), rider: riderWith(this.books.balanceOf('user:r')) }
    const decision = decide(facts, world.inputOf(command, step), world.now)
    if (decision instanceof Refusal) return
    this.checkWalletPayments(decision, world.booking)
    world.apply(decision)
    this.postNew(command)
  }

  /** A wallet payment must not exceed the balance, unless the trip was paid in advance. */
  private checkWalletPayments({ entries }: Decision, booking: Booking): void {
    if (booking.prepaid) return
    let left = this.books.balanceOf('user:r')
    for (const { kind, legs } of entries) {
      for (const { account, amount } of legs) if (account === 'user:r') left += amount
      if (kind === 'wallet_payment' && left < 0) throw new Error(`a wallet payment left ${left}`)
    }
  }

  private withdraw(user: string, amount: number): void {
    const settings = { RiderWithDraw: true, decimal: 4 }
    const usertype = user === 'd' ? ('driver' as const) : ('rider' as const)
    const walletBalance = this.books.balanceOf(`user:${user}`)
    const wish = { amount, bankName: 'b', bankCode: 'c', bankAccount: 'd' }
    if (withdrawRefusal({ usertype, walletBalance }, wish, settings)) return
    const id = this.id()
    this.open.push({ id, user, amount })
    this.post('withdraw_asked', [withdrawRequested(id, user, amount)])
    const left = this.books.balanceOf(`user:${user}`)
    if (left < 0) throw new Error(`a withdrawal left ${left}`)
  }

  private decideWithdraw(variant: number): void {
    const request = this.open.pop()
    if (!request) return
    const { id, user, amount } = request
    this.post('withdraw', [variant % 2 ? withdrawProcessed(id, amount) : withdrawRefused(id, user, amount)])
  }

  private askRefund(variant: number, amount: number): void {
    const booking = this.world.bookings.find(({ status }) => isOneOf(['PAID', 'COMPLETE'], status))
    if (!booking) return
    const source = (['card', 'wallet', 'cash'] as const)[variant % 3] as Source
    const paid = {
      card: booking.cardPaymentAmount,
      wallet: booking.usedWalletMoney,
      cash: booking.cashPaymentAmount,
    }[source]
    const key = `${this.worlds} ${booking.id} ${source}`
    const refunded = this.refunded.get(key) ?? 0
    if (!mayRefund({ paid, refunded }, amount)) return
    this.refunded.set(key, refunded + amount)
    const bearer = variant % 2 ? { platform: true as const } : { driver: booking.driver ?? 'd' }
    const refund = { id: this.id(), booking: booking.id, amount, bearer }
    const target = source === 'card' ? { provider: booking.gateway ?? 'stripe' } : { rider: 'r' }
    this.refunds.push({ refund, target })
    this.post('refund', [refundRequested(refund)])
    if (refunded + amount > paid) throw new Error('more was refunded than paid')
  }

  private endRefund(variant: number): void {
    const ended = this.refunds.pop()
    if (!ended) return
    const { refund, target } = ended
    this.post('refund_end', [variant % 3 ? refundConfirmed(refund, target) : refundFailed(refund)])
  }

  private bonus(amount: number): void {
    this.post('bonus', [referralBonus(this.id(), 'r', amount, this.world.booking.id)])
  }

  private capture(amount: number) {
    return { provider: 'stripe', payment: this.id(), amount }
  }

  private id(): string {
    this.made += 1
    return `x${this.made}`
  }

  private post(name: string, entries: readonly Entry[]): void {
    this.books.post(entries)
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1)
  }

  /** Posts the world's new ledger entries; ids are prefixed, because every world uses the same ones. */
  private postNew(name: string): void {
    const fresh = this.world.entries.slice(this.seen)
    this.seen = this.world.entries.length
    this.post(
      name,
      fresh.map((entry) => renamed(entry, this.worlds)),
    )
  }

  private worlds = 0
  private nextWorld(): World {
    this.worlds += 1
    this.seen = 0
    const below = -this.books.balanceOf('user:r')
    // A rider with a negative balance tops up before the next booking.
    if (below > 0) this.post('top_up', [topUp('r', this.capture(below))])
    const balance = this.books.balanceOf('user:r')
    const world = new World({ ...this.options, balance })
    this.world = world
    this.postNew('create')
    return world
  }
}

/** Prefixes ids, because bookings and payments have the same ids in each world. */
function renamed(entry: Entry, world: number): Entry {
  return {
    ...entry,
    key: `${world}:${entry.key}`,
    legs: entry.legs.map((leg) =>
      leg.account.startsWith('trip:')
        ? { ...leg, account: `trip:${world}:${leg.account.slice(5)}` as const }
        : leg,
    ),
  }
}

const steps = fc.array(
  fc.record({
    kind: fc.nat(11),
    amount: fc.integer({ min: 1, max: 400 }).map((value) => (value * unit) / 4),
    step: fc.record({
      aim: fc.constantFrom<Step['aim'][]>('any', 'allowed', 'onward', 'onward', 'onward', 'onward'),
      pick: fc.nat(10_000),
      variant: fc.nat(1000),
      minutes: fc.constantFrom(0, 1, 3, 7),
    }),
  }),
  { minLength: operationsARun, maxLength: operationsARun, size: 'max' },
)
const options = fc.record({
  autoDispatch: fc.boolean(),
  negativeBalance: fc.boolean(),
  delivery: fc.boolean(),
  mode: fc.constantFrom(...paymentModes),
  inAdvance: fc.boolean(),
  promo: fc.boolean(),
  balance: fc.constant(0),
})

it(`money: ${wantedOperations} random operations -> every one balances`, { timeout: 240_000 }, () => {
  const happened = new Map<string, number>()
  let operations = 0
  fc.assert(
    fc.property(options, steps, (chosen, walk) => {
      const city = new MoneyCity(chosen)
      for (const { kind, amount, step } of walk) {
        city.step(kind, amount, step)
        operations += 1
        expect(city.books.sum).toBe(0)
      }
      expect(city.books.flaws()).toEqual([])
      for (const [name, times] of city.happened) happened.set(name, (happened.get(name) ?? 0) + times)
    }),
    { numRuns: wantedOperations / operationsARun },
  )
  expect(operations).toBe(wantedOperations)
  // Every kind of movement must have occurred. The rarest are expected 20 times, so 10 or fewer come once in 200 runs, none
  // once in 10^8.
  const kinds = [
    'create',
    'withdraw_asked',
    'withdraw',
    'top_up',
    'late_capture',
    'refund',
    'refund_end',
    'bonus',
  ]
  const trips = [
    'close',
    'settle_capture',
    'capture_payment',
    'pay_by_wallet',
    'confirm_cash',
    'cancel',
    'write_off',
  ]
  for (const kind of [...kinds, ...trips]) expect([kind, (happened.get(kind) ?? 0) > 0]).toEqual([kind, true])
})
