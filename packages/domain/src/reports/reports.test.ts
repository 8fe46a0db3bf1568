import { describe, expect, test } from 'vitest'
import { bookingStatuses } from '../bookings/status.ts'
import { daysUpTo, lastDayOf, monthName } from '../time/city-time.ts'
import { addEarnings, earningsOf, noEarnings, profitOf } from './counted.ts'

const figures = { trip_cost: 110, convenience_fees: 10, discount_amount: 20, driver_share: 100 }

describe('earningsOf', () => {
  test.each(bookingStatuses)('%s -> its figures', (status) => {
    const brings = earningsOf({ status, ...figures })
    if (status === 'PAID' || status === 'COMPLETE') {
      expect(brings).toEqual({ rides: 1, cancelled: 0, ...figures })
    } else {
      expect(brings).toEqual({ ...noEarnings, cancelled: status === 'CANCELLED' ? 1 : 0 })
    }
  })

  test('addEarnings: discount above the fee -> a loss', () => {
    const two = addEarnings(
      earningsOf({ status: 'PAID', ...figures }),
      earningsOf({ status: 'COMPLETE', ...figures }),
    )
    expect(two).toEqual({
      rides: 2,
      cancelled: 0,
      trip_cost: 220,
      convenience_fees: 20,
      discount_amount: 40,
      driver_share: 200,
    })
    expect(profitOf(two)).toBe(-20)
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
