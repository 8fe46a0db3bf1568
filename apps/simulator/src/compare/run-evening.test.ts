import { strategies } from '@hansom/domain/dispatch/strategies'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { describe, expect, it, test } from 'vitest'
import { type Demand, demandOf, driveS } from './demand.ts'
import { figuresOf, gini, interval } from './figures.ts'
import { reportPage } from './report.ts'
import { runEvening } from './run-evening.ts'

const size = { drivers: 30, requests: 40, hours: 1 }
const at = (km: number) => ({ lat: km / 111.195, lng: 0 })
const rider = (id: string, second: number, pickupKm: number, dropKm: number) => ({
  id,
  at: second,
  pickup: at(pickupKm),
  drop: at(dropKm),
  patienceS: 3600,
})
const figures = { ...defaultSettings.dispatch, strategy: 'nearest' } as const
/** Everyone answers at once and accepts, and drives as long as expected. */
const calm = (demand: Omit<Demand, 'luck'>): Demand => ({
  ...demand,
  luck: (...names) => ({ silent: 1, accepts: 0, delay: 0, pace: 0.375 })[names.at(-1) as 'pace'],
})

describe('runEvening', () => {
  it.each(strategies)('%s: same seed -> same evening, with everyone counted', (strategy) => {
    const run = () => runEvening(demandOf(3, size), { ...defaultSettings.dispatch, strategy })
    const evening = run()
    expect(run()).toEqual(evening)
    expect(evening.waitsS.length).toBeGreaterThan(evening.asked / 2)
    expect(evening.waitsS.length).toBeLessThanOrEqual(evening.asked)
    expect(evening.incomes).toHaveLength(size.drivers)
    expect(evening.waitsS.every((waitS) => waitS > 0)).toBe(true)
  })

  it('one rider, two drivers -> the nearer one drives to the pickup and earns the fare', () => {
    const demand = calm({ riders: [rider('a', 10, 0, 3)], starts: [at(4), at(1)] })
    const { waitsS, emptyKm, incomes } = runEvening(demand, figures)
    expect(waitsS).toEqual([expect.closeTo(2 + driveS(at(1), at(0)), 6)])
    expect(emptyKm).toBeCloseTo(1.3, 6)
    expect(incomes).toEqual([0, expect.closeTo(1.5 + 0.9 * 3.9, 6)])
  })

  it('the driver of another trip ends it beside the pickup -> awaited where that counts', () => {
    const demand = calm({ riders: [rider('a', 0, 0, 2), rider('b', 300, 2, 0)], starts: [at(0), at(9)] })
    const without = runEvening(demand, figures)
    const awaiting = runEvening(demand, { ...figures, soonFreeMinutes: 10 })
    expect(without.incomes.every((income) => income > 0)).toBe(true)
    expect(awaiting.incomes[1]).toBe(0)
    expect(awaiting.waitsS[1]).toBeLessThan(without.waitsS[1] as number)
  })

  it('no driver -> no one is served', () => {
    const evening = runEvening(calm({ riders: [rider('a', 0, 0, 2)], starts: [] }), figures)
    expect(figuresOf(evening)).toMatchObject({ served: 0, waitMean: 0 })
  })
})

test('gini: equal incomes -> 0; one of four earns all -> 0.75', () => {
  expect(gini([7, 7, 7])).toBeCloseTo(0)
  expect(gini([0, 0, 0, 9])).toBeCloseTo(0.75)
  expect(gini([0, 0])).toBe(0)
})

test('interval: five values -> their mean, with 2.776 standard errors', () => {
  const { mean, half } = interval([1, 2, 3, 4, 5])
  expect(mean).toBe(3)
  expect(half).toBeCloseTo(2.776 * Math.sqrt(2.5 / 5))
})

test('interval: one or two values -> none', () => {
  expect(interval([4])).toEqual({ mean: 4, half: Number.POSITIVE_INFINITY })
  expect(interval([70, 79])).toEqual({ mean: 74.5, half: Number.POSITIVE_INFINITY })
})

test('reportPage: figures of two strategies -> a table, five charts, nothing from outside', () => {
  const page = reportOf([0, 1, 2])
  expect(page.match(/<svg /g)).toHaveLength(5)
  expect(page.match(/<circle /g)).toHaveLength(10)
  expect(page).toContain('<td>&lt;A></td><td>11.0 ± 2.5</td>')
  expect(page).toContain('means of 3 runs and their 95 % confidence intervals')
  expect(page).toContain('Less is better. The axis begins at 5.')
  expect(page).not.toMatch(/https?:|src=|NaN|Infinity/)
})

test('reportPage: fewer runs than an interval needs -> the figures alone, and why', () => {
  expect(reportOf([0])).toContain('those of a single run; confidence intervals need at least 3 seeds')
  const page = reportOf([0, 1])
  expect(page).toContain('means of 2 runs; confidence intervals need at least 3 seeds')
  expect(page).toContain('<td>&lt;A></td><td>10.5</td>')
  expect(page).not.toMatch(/±|NaN|Infinity/)
})

/** The report of two strategies whose figures are 10 and 20 and each of these. */
function reportOf(more: readonly number[]): string {
  const compared = ['<A>', 'B'].map((name, index) => {
    const values = more.map((one) => 10 * (index + 1) + one)
    return {
      name,
      figures: { waitMean: values, waitP90: values, emptyKm: values, served: values, gini: values },
    }
  })
  return reportPage(compared, size)
}
