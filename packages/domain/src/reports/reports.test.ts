import { describe, expect, test } from 'vitest'
import { bookingStatuses } from '../bookings/status.ts'
import { daysUpTo, lastDayOf, monthName } from '../time/city-time.ts'
import { countedRefunds, refundBearers, refundStates } from '../wallet/refund.ts'
import {
  addEarnings,
  driverPartsOf,
  driversEarned,
  earningsOf,
  movementOf,
  netOf,
  noEarnings,
  profitOf,
  refundFiguresOf,
  waitingOf,
} from './counted.ts'

const figures = { trip_cost: 110, convenience_fees: 10, discount_amount: 20, driver_share: 100 }
const booking = { ...figures, cancellation_fee: 5 }

describe('figures', () => {
  test.each(bookingStatuses)('earningsOf: %s -> its figures', (status) => {
    const counted = status === 'PAID' || status === 'COMPLETE' ? { rides: 1, ...figures } : {}
    const cancelled = status === 'CANCELLED' ? { cancelled: 1, cancellation_fees: 5 } : {}
    expect(earningsOf({ status, ...booking })).toEqual({ ...noEarnings, ...counted, ...cancelled })
  })

  test('waitingOf: open and waived -> not received by the driver', () => {
    const due = { open: 3, waived: 2 }
    expect(waitingOf({ status: 'CANCELLED' }, due)).toEqual({ ...noEarnings, waiting_fees: 5 })
    expect(waitingOf({ status: 'PAID' }, due)).toEqual({ ...noEarnings, waiting_share: 5 })
  })

  test.each([
    ['platform', 'confirmed', { platform_refunds: 40, dispute_fees: 2 }],
    ['platform', 'pending', { platform_refunds: 40, open_refunds: 40, dispute_fees: 2 }],
    ['driver', 'asked', { driver_refunds: 40, open_refunds: 40, dispute_fees: 2 }],
    ['wallet', 'confirmed', { dispute_fees: 2 }],
    ['platform', 'failed', { dispute_fees: 2 }],
  ] as const)('refundFiguresOf: borne by %s, %s -> its figures', (bearer, state, expected) => {
    const ended_at = state === 'confirmed' || state === 'failed' ? 1 : null
    const refund = { bearer, state, amount: 40, fee: 2, ended_at }
    expect(refundFiguresOf(refund)).toEqual({ ...noEarnings, ...expected })
  })

  test.each(refundBearers)('countedRefunds: borne by %s, any state -> those with a figure', (bearer) => {
    for (const state of refundStates) {
      const sums = refundFiguresOf({ bearer, state, amount: 40, fee: 0, ended_at: null })
      const isCounted = countedRefunds.bearers.includes(bearer) && countedRefunds.states.includes(state)
      expect(sums.platform_refunds + sums.driver_refunds).toBe(isCounted ? 40 : 0)
    }
  })

  test.each([
    ['write_off', 'platform', -7, { write_offs: 7 }],
    ['objection_decided', 'platform', -7, { write_offs: 7 }],
    ['settlement', 'platform', 10, {}],
    ['referral_bonus', 'bonus', -50, { bonuses: 50 }],
    ['referral_bonus', 'user:d', 25, { driver_bonuses: 25 }],
    ['admin_credit', 'adjustment', -9, { credits: 9 }],
    ['cash_payment', 'user:d', -9, {}],
  ] as const)('movementOf: %s on %s -> its figures', (kind, account, amount, expected) => {
    const leg = { account, amount, isDriver: account === 'user:d' }
    expect(movementOf({ kind }, leg)).toEqual({ ...noEarnings, ...expected })
  })

  test('sums: two trips, write-off, refund and fee -> profit, net and drivers', () => {
    const all = [
      earningsOf({ status: 'PAID', ...booking }),
      earningsOf({ status: 'COMPLETE', ...booking }),
      earningsOf({ status: 'CANCELLED', ...booking }),
      waitingOf({ status: 'CANCELLED' }, { open: 2, waived: 0 }),
      {
        ...noEarnings,
        write_offs: 7,
        platform_refunds: 40,
        driver_refunds: 30,
        dispute_fees: 2,
        driver_bonuses: 4,
      },
    ].reduce(addEarnings, noEarnings)
    expect(profitOf(all)).toBe(-20)
    expect(netOf(all)).toBe(-69)
    expect(driverPartsOf(all)).toEqual({
      trips: 2,
      driverShare: 200,
      cancellationFee: 3,
      bonus: 4,
      refund: 30,
    })
    expect(driversEarned(all)).toBe(177)
  })
})

describe('calendar', () => {
  test('daysUpTo: across months and years -> consecutive days', () => {
    expect(daysUpTo('2027-01-02', 4)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'])
    expect(daysUpTo('2028-03-01', 2)).toEqual(['2028-02-29', '2028-03-01'])
    expect(lastDayOf(2028, 2)).toBe('2028-02-29')
    expect(lastDayOf(2026, 12)).toBe('2026-12-31')
  })

  test('monthName: 1 to 12 -> the name', () => {
    expect([monthName(1), monthName(12)]).toEqual(['January', 'December'])
    expect(() => monthName(13)).toThrow(RangeError)
  })
})
