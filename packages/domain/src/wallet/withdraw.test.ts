import { expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { roles } from '../users/roles.ts'
import { accountGroups, groupOf, groupsOfKind, kindsMoving } from './account-groups.ts'
import { dueReleases, dueWaived } from './dues.ts'
import { entryKinds } from './ledger.ts'
import {
  disputeFee,
  refundConfirmed,
  refundFailed,
  refundRequested,
  refundReversed,
} from './refund-entries.ts'
import * as trip from './trip-entries.ts'
import * as user from './user-entries.ts'
import { isPayable, mayBePaidOut, mayWithdraw, withdrawRefusal, withdrawState } from './withdraw.ts'

const settings = { RiderWithDraw: true, decimal: 2 }
const person = { usertype: 'driver', walletBalance: 100 * unit } as const
const wish = { amount: 60 * unit, bankName: 'Bank', bankCode: '', bankAccount: '001' }

it('mayWithdraw: driver -> allowed, rider -> if the settings allow it', () => {
  expect(roles.map((role) => mayWithdraw(role, settings))).toEqual([true, true, false, false])
  expect(roles.map((role) => mayWithdraw(role, { RiderWithDraw: false }))).toEqual([
    false,
    true,
    false,
    false,
  ])
})

it('payout by an admin: rider, withdrawals off -> allowed, back office -> refused', () => {
  expect(roles.map(mayBePaidOut)).toEqual([true, true, false, false])
  const off = { ...settings, RiderWithDraw: false }
  const keyFor = (usertype: (typeof roles)[number], amount = wish.amount) =>
    withdrawRefusal({ ...person, usertype }, { ...wish, amount }, off, 'admin')?.key ?? null
  expect(roles.map((role) => keyFor(role))).toEqual([
    null,
    null,
    'withdraw_unavailable',
    'withdraw_unavailable',
  ])
  expect(keyFor('rider', 101 * unit)).toBe('low_wallet')
})

it.each([
  ['complete', {}, {}, {}, null],
  ['the entire balance', { amount: 100 * unit }, {}, {}, null],
  ['more than the balance', { amount: 100 * unit + 100 }, {}, {}, 'low_wallet'],
  ['zero amount', { amount: 0 }, {}, {}, 'no_details_error'],
  ['negative amount', { amount: -unit }, {}, {}, 'no_details_error'],
  ['fraction of the smallest unit', { amount: 0.5 }, {}, {}, 'no_details_error'],
  ['more digits than the currency has', { amount: 50 }, {}, {}, 'no_details_error'],
  ['no bank name', { bankName: '  ' }, {}, {}, 'bank_details_needed'],
  ['no bank account', { bankAccount: '' }, {}, {}, 'bank_details_needed'],
  ['a rider', {}, { usertype: 'rider' }, {}, null],
  [
    'a rider, not allowed by the settings',
    {},
    { usertype: 'rider' },
    { RiderWithDraw: false },
    'withdraw_unavailable',
  ],
  ['an admin', {}, { usertype: 'admin' }, {}, 'withdraw_unavailable'],
] as const)('withdrawRefusal: %s -> $4', (_name, asked, who, set, key) => {
  const refusal = withdrawRefusal({ ...person, ...who }, { ...wish, ...asked }, { ...settings, ...set })
  expect(refusal?.key ?? null).toBe(key)
})

it('isPayable: amount -> above zero, within the digits of the currency', () => {
  expect(
    [1, unit / 100, unit, 0, -unit, Number.NaN].map((amount) => isPayable(amount, { decimal: 2 })),
  ).toEqual([false, true, true, false, false, false])
})

it('withdrawState: nothing decided -> open', () => {
  expect(withdrawState({ processed: false, refused: false })).toBe('open')
  expect(withdrawState({ processed: true, refused: false })).toBe('processed')
  expect(withdrawState({ processed: false, refused: true })).toBe('refused')
})

it('groupsOfKind: every entry -> moves exactly the groups of its kind', () => {
  const cost = { trip_cost: 110, driver_share: 100, convenience_fees: 10 }
  const paid = { booking: 'b', rider: 'r', driver: 'd', fee: 5, paid: 90, promo: 20 }
  const due = { booking: 'b', rider: 'r', driver: 'd', open: 1 }
  const refund = { id: 'f', booking: 'b', amount: 40 }
  const captured = { provider: 's', amount: 1, payment: 'pay' }
  const entries = [
    ...trip.cashPayment('b', 'd', 1),
    ...trip.walletPayment('b', 'r', 1),
    ...trip.cardPayment('b', captured),
    ...trip.cardPayment(
      'b',
      { ...captured, amount: 3 },
      { rider: 'r', trips: [{ booking: 'c', amount: 1 }], toRider: 1 },
    ),
    ...trip.promoPayment('b', 1),
    ...trip.advancePayment('b', { ...captured, promo: 1 }),
    ...trip.settlement('b', 'd', cost),
    ...trip.settlement('b', 'd', cost, 1),
    ...trip.surplusReturned('b', 'r', 1),
    ...trip.walletReturned('b', 'r', 1, 'x'),
    ...trip.cancellation(paid),
    ...trip.cancellation({ ...paid, paid: 0, promo: 0 }),
    ...trip.escrowInherited('b', 'c', 1),
    ...trip.writeOff('b', 1),
    ...trip.lateCapture('b', 'r', captured),
    refundRequested({ ...refund, bearer: { platform: true } }),
    refundRequested({ ...refund, bearer: { driver: 'd' } }),
    refundConfirmed({ ...refund, bearer: { platform: true } }, { provider: 's' }),
    refundConfirmed({ ...refund, bearer: { platform: true } }, { rider: 'r' }),
    refundFailed({ ...refund, bearer: { platform: true } }),
    refundFailed({ ...refund, bearer: { driver: 'd' } }),
    refundReversed({ ...refund, bearer: { platform: true } }, 's'),
    refundReversed({ ...refund, bearer: { wallet: 'r' } }, 's'),
    disputeFee(refund, 's', 15, 1),
    user.withdrawRequested('w', 'r', 1),
    user.withdrawProcessed('w', 1),
    user.withdrawRefused('w', 'r', 1),
    user.adminCredit('c', 'r', 1),
    user.adminDebit('c', 'r', 1),
    user.adjustmentReversed('c', 'r', 1),
    ...user.guestTakenOver('g', 'r', 1),
    user.balanceGivenUp('r', 1),
    user.topUp('r', captured),
    user.referralBonus('n', 'r', 1, 'b'),
    ...trip.debtCollected('b', 'd', 'r', 1),
    ...dueReleases([due], 0),
    dueWaived(due),
    ...user.objectionDecided('b', 'r', 1),
    user.cashReceived('x', 'd', 1),
    user.cashReversed('x', 'd', 1),
    user.cashBanked('y', 1),
  ]
  for (const kind of entryKinds) {
    const moved = entries.flatMap((one) =>
      one.kind === kind ? one.legs.map((leg) => groupOf(leg.account)) : [],
    )
    expect([...new Set(moved)].sort(), kind).toEqual([...groupsOfKind[kind]].sort())
  }
  expect(kindsMoving('bank')).toEqual(['withdraw_processed', 'cash_banked'])
  for (const group of accountGroups) expect(kindsMoving(group), group).not.toEqual([])
})
