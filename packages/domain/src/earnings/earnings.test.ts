import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { cityDay } from '../time/city-time.ts'
import { addParts, earnedOf, noEarningParts, toWalletOf } from './figures.ts'
import { earningSteps, partsOfPeriod, periodAfter, periodAround, periodBefore } from './period.ts'

describe('period', () => {
  it.each([
    ['day', '2028-02-29', '2028-02-29', '2028-02-29'],
    ['week', '2026-11-16', '2026-11-16', '2026-11-22'],
    ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
    ['week', '2027-01-01', '2026-12-28', '2027-01-03'],
    ['month', '2028-02-10', '2028-02-01', '2028-02-29'],
    ['month', '2026-12-31', '2026-12-01', '2026-12-31'],
  ] as const)('%s of %s -> %s to %s', (step, day, from, to) => {
    expect(periodAround(step, day)).toEqual({ from, to })
  })

  it('any period -> ends where the next begins', () => {
    const days = fc
      .integer({ min: 0, max: 40_000 })
      .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
    fc.assert(
      fc.property(fc.constantFrom(...earningSteps), days, (step, day) => {
        const here = periodAround(step, day)
        expect(here.from <= day && day <= here.to).toBe(true)
        expect(periodBefore(step, periodAfter(step, day).from)).toEqual(here)
        expect(periodAfter(step, here.to)).toEqual(periodAfter(step, here.from))
        expect(periodAfter(step, day).from > here.to).toBe(true)
      }),
    )
  })
})

describe('parts of a period', () => {
  test.each([
    ['America/Montevideo', '2026-11-20', 24],
    // Clocks go forward at two in the morning, and back at three.
    ['Europe/Madrid', '2026-03-29', 23],
    ['Europe/Madrid', '2026-10-25', 25],
    // Clocks skip midnight.
    ['Africa/Cairo', '2026-04-24', 23],
    ['Asia/Kathmandu', '2026-11-20', 24],
  ])('a day in %s, %s -> %i hours', (zone, day, hours) => {
    const starts = partsOfPeriod('day', periodAround('day', day), zone)
    expect(starts).toHaveLength(hours + 1)
    expect(starts.slice(0, -1).map((at) => cityDay(at, zone))).toEqual(Array(hours).fill(day))
    expect(cityDay(starts[hours] ?? 0, zone)).toBe(periodAfter('day', day).from)
  })

  test('a month -> its days', () => {
    const zone = 'Europe/Madrid'
    const starts = partsOfPeriod('month', periodAround('month', '2026-03-10'), zone)
    expect(starts.map((at) => cityDay(at, zone)).at(-1)).toBe('2026-04-01')
    expect(new Set(starts.map((at) => cityDay(at, zone))).size).toBe(32)
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBe((31 * 24 - 1) * 3_600_000)
  })

  test('invalid day or zone -> RangeError', () => {
    expect(() => partsOfPeriod('day', { from: '2026-02-30', to: '2026-02-30' }, 'UTC')).toThrow(RangeError)
    expect(() => partsOfPeriod('day', periodAround('day', '2026-02-03'), 'Mars/Base')).toThrow(RangeError)
  })
})

describe('earnings figures', () => {
  const cash = { ...noEarningParts, trips: 1, tripCost: 110, platformFee: 10, driverShare: 100, cash: 110 }
  it('cash trip -> the driver has the cash and owes the fee', () => {
    expect([earnedOf(cash), toWalletOf(cash)]).toEqual([100, -10])
  })

  it('trips and other lines -> added up', () => {
    const all = addParts(cash, { ...noEarningParts, cancellationFee: 5, bonus: 50, refund: 40 })
    expect([all.trips, earnedOf(all), toWalletOf(all)]).toEqual([1, 115, 5])
  })
})
