import { describe, expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { type Account, type Entry, entry, sumOf, usersIn, walletHistoryEntry } from './ledger.ts'
import { isRefundable } from './refund.ts'
import { mayRefund, type Refund, refundConfirmed, refundFailed, refundRequested } from './refund-entries.ts'
import * as trip from './trip-entries.ts'
import * as user from './user-entries.ts'

const cost = { trip_cost: 110 * unit, driver_share: 100 * unit, convenience_fees: 10 * unit }
const out = trip.settlement('b', 'd', cost)
const u = (amount: number) => amount * unit
const captured = { provider: 'stripe', payment: 'pay' }

/** Legs in short form: account and amount in currency units. */
function legs(entries: Entry | readonly Entry[]): string[] {
  return [entries].flat().flatMap((one) => one.legs.map((leg) => `${leg.account} ${leg.amount / unit}`))
}
function sums(entries: readonly Entry[], ...accounts: Account[]): number[] {
  return accounts.map((account) => sumOf(entries, account) / unit)
}
const outLegs = ['trip:b -110', 'user:d 100', 'platform 10']

it('captured payment: any use -> the same key', () => {
  const given = { ...captured, amount: u(5) }
  const uses = [
    trip.cardPayment('b', given),
    trip.advancePayment('b', { ...given, promo: u(1) }),
    trip.lateCapture('b', 'r', given),
    user.topUp('r', given),
  ].flat()
  expect(uses.map(({ key }) => key)).toEqual(Array(4).fill('payment:pay'))
  expect(() => trip.cardPayment('b', { ...given, payment: null })).toThrow(RangeError)
  expect(() => trip.advancePayment('b', { ...given, payment: null, promo: 0 })).toThrow(RangeError)
  const free = trip.advancePayment('b', { provider: '', amount: 0, payment: null, promo: u(1) })
  expect(free.map(({ key }) => key)).toEqual(['b:advance'])
})

describe('trip of 110 with a fee of 10', () => {
  it('cash -> the driver owes 10', () => {
    const entries = [...trip.cashPayment('b', 'd', u(110)), ...out]
    expect(legs(entries)).toEqual(['user:d -110', 'trip:b 110', ...outLegs])
    expect(sums(entries, 'user:d', 'trip:b', 'platform')).toEqual([-10, 0, 10])
  })

  it('cash with a promo of 20 -> the driver gets 10, promo and platform pay 10 together', () => {
    const entries = [...trip.promoPayment('b', u(20)), ...trip.cashPayment('b', 'd', u(90)), ...out]
    expect(legs(entries)).toEqual(['promo -20', 'trip:b 20', 'user:d -90', 'trip:b 90', ...outLegs])
    expect(sums(entries, 'user:d', 'trip:b')).toEqual([10, 0])
    expect(sumOf(entries, 'promo') + sumOf(entries, 'platform')).toBe(u(-10))
  })

  it('wallet -> settled', () => {
    const entries = [...trip.walletPayment('b', 'r', u(110)), ...out]
    expect(legs(entries)).toEqual(['user:r -110', 'trip:b 110', ...outLegs])
  })

  it('card -> settled', () => {
    const entries = [...trip.cardPayment('b', { ...captured, amount: u(110) }), ...out]
    expect(legs(entries)).toEqual(['provider:stripe -110', 'trip:b 110', ...outLegs])
  })

  it('prepaid with a promo of 20 -> settled', () => {
    const entries = trip.advancePayment('b', { ...captured, amount: u(90), promo: u(20) })
    expect(legs(entries)).toEqual(['provider:stripe -90', 'promo -20', 'trip:b 110'])
  })

  it('wallet 30 and card 80 -> held, and returned', () => {
    const hold = trip.walletPayment('b', 'r', u(30), 'checkout')
    expect(legs(hold)).toEqual(['user:r -30', 'trip:b 30'])
    expect(legs(trip.cardPayment('b', { ...captured, amount: u(80) }))).toEqual([
      'provider:stripe -80',
      'trip:b 80',
    ])
    expect(sums([...hold, ...trip.walletReturned('b', 'r', u(30), 'x')], 'user:r', 'trip:b')).toEqual([0, 0])
  })

  it('cancelled with a fee of 5, unpaid -> due to the driver', () => {
    const entries = trip.cancellation({ booking: 'b', rider: 'r', driver: 'd', fee: u(5), paid: 0, promo: 0 })
    expect(legs(entries)).toEqual(['due:b 5', 'user:r -5'])
  })

  it('cancelled with a fee of 5, prepaid -> the rest is returned, with and without a promo', () => {
    const cancelled = { booking: 'b', rider: 'r', driver: 'd', fee: u(5), paid: u(110), promo: 0 }
    expect(legs(trip.cancellation(cancelled))).toEqual(['trip:b -110', 'user:d 5', 'user:r 105'])
    expect(legs(trip.cancellation({ ...cancelled, paid: u(90), promo: u(20) }))).toEqual([
      'trip:b -110',
      'user:d 5',
      'promo 20',
      'user:r 85',
    ])
  })

  it('written off -> the platform bears it', () => {
    const entries = [...trip.writeOff('b', u(110)), ...out]
    expect(sums(entries, 'platform', 'user:d', 'trip:b')).toEqual([-100, 100, 0])
  })

  it('captured too late -> credited to the rider', () => {
    expect(legs(trip.lateCapture('b', 'r', { ...captured, amount: u(110) }))).toEqual([
      'provider:stripe -110',
      'user:r 110',
    ])
  })
})

describe('refund of 40', () => {
  const refund: Refund = { id: 'f', booking: 'b', amount: u(40), bearer: { platform: true } }

  it('requested -> confirmed or reversed, never both', () => {
    expect(legs(refundRequested(refund))).toEqual(['platform -40', 'refund 40'])
    expect(legs(refundRequested({ ...refund, bearer: { driver: 'd' } }))).toEqual(['user:d -40', 'refund 40'])
    const confirmed = refundConfirmed(refund, { provider: 'stripe' })
    expect(legs(confirmed)).toEqual(['refund -40', 'provider:stripe 40'])
    expect(legs(refundConfirmed(refund, { rider: 'r' }))).toEqual(['refund -40', 'user:r 40'])
    expect(legs(refundFailed(refund))).toEqual(['refund -40', 'platform 40'])
    expect(refundFailed(refund).key).toBe(confirmed.key)
  })

  it('any source -> never more than it paid', () => {
    expect(mayRefund({ paid: 100, refunded: 60 }, 40)).toBe(true)
    expect(mayRefund({ paid: 100, refunded: 60 }, 41)).toBe(false)
    expect(mayRefund({ paid: 100, refunded: 0 }, 0)).toBe(false)
  })
})

describe('mayHavePaid', () => {
  it.each([
    ['PAID', 0, u(110), true],
    ['COMPLETE', null, u(110), true],
    // Written off: the platform paid.
    ['PAID', 0, 0, false],
    ['COMPLETE', null, 0, false],
    ['CANCELLED', u(5), 0, true],
    ['CANCELLED', 0, 0, false],
    ['PENDING', 0, u(110), false],
    ['REACHED', null, 0, false],
  ] as const)('%s with a fee of %s and %s paid -> %s', (status, cancellation_fee, customer_paid, may) => {
    expect(isRefundable({ status, cancellation_fee, customer_paid })).toBe(may)
  })
})

describe('wallets', () => {
  it('withdrawal of 60 -> entries', () => {
    expect(legs(user.withdrawRequested('w', 'r', u(60)))).toEqual(['user:r -60', 'payout 60'])
    expect(legs(user.withdrawProcessed('w', u(60)))).toEqual(['payout -60', 'bank 60'])
    expect(legs(user.withdrawRefused('w', 'r', u(60)))).toEqual(['payout -60', 'user:r 60'])
    expect(user.withdrawRefused('w', 'r', u(60)).key).toBe(user.withdrawProcessed('w', u(60)).key)
  })

  it('admin credit 50, top-up and referral bonus -> entries', () => {
    expect(legs(user.adminCredit('c', 'r', u(50)))).toEqual(['adjustment -50', 'user:r 50'])
    expect(legs(user.adminDebit('c', 'r', u(50)))).toEqual(['user:r -50', 'adjustment 50'])
    expect(legs(user.adjustmentReversed('c', 'r', u(50)))).toEqual(['user:r -50', 'adjustment 50'])
    expect(legs(user.adjustmentReversed('c', 'r', u(-50)))).toEqual(['user:r 50', 'adjustment -50'])
    expect(legs(user.topUp('r', { ...captured, amount: u(5) }))).toEqual(['provider:stripe -5', 'user:r 5'])
    expect(legs(user.referralBonus('n', 'r', u(3), 'b'))).toEqual(['bonus -6', 'user:n 3', 'user:r 3'])
  })

  it('payment above the balance -> refused', () => {
    expect(trip.canPay(100, 100)).toBe(true)
    expect(trip.canPay(99, 100)).toBe(false)
    expect(trip.canPay(-5, 0)).toBe(true)
  })

  it('user legs -> history lines', () => {
    const at = (kind: Entry['kind'], booking: string | null, amount: number) =>
      walletHistoryEntry({ kind, booking }, amount, 7)
    expect(at('settlement', 'b', 100)).toEqual({ type: 'Credit', amount: 100, date: 7, txRef: 'b' })
    expect(at('cash_payment', 'b', -110)).toEqual({ type: 'Debit', amount: 110, date: 7, txRef: 'b' })
    expect(at('withdraw_asked', null, -60)).toMatchObject({ type: 'Withdraw', amount: 60 })
    expect(at('admin_credit', null, 50)).toMatchObject({ type: 'Credit', txRef: 'AdminCredit' })
    expect(at('admin_debit', null, -50)).toMatchObject({ type: 'Debit', txRef: 'AdminDebit' })
  })
})

describe('entry', () => {
  it('legs that do not sum to zero, move nothing or are no amount -> RangeError', () => {
    const make = (...amounts: number[]) =>
      entry(
        'surplus_returned',
        'k',
        null,
        amounts.map((amount) => ({ account: 'platform', amount })),
      )
    expect(() => make(1, -2)).toThrow(RangeError)
    expect(() => make(0, 0)).toThrow(RangeError)
    expect(() => make(0.5, -0.5)).toThrow(RangeError)
    expect(make(1, 0, -1).legs).toHaveLength(2)
  })

  it('usersIn: entries -> the users to lock, in order', () => {
    expect(usersIn([...trip.cashPayment('b', 'z', 1), ...trip.walletPayment('b', 'a', 1), ...out])).toEqual([
      'a',
      'd',
      'z',
    ])
  })
})
