import { describe, expect, it } from 'vitest'
import { bestScore, scoreOf } from './best-score.fixture.ts'
import * as improving from './improve-order.ts'
import { type DropPlan, finish, planArrivals } from './order-stops.ts'
import { randomDrops } from './random-drops.fixture.ts'
import * as searching from './search-orders.ts'
import { isBetter, type Score, StopTimes } from './stop-times.ts'
import { walkBounds } from './walk-bounds.ts'

const improveOrder = (times: StopTimes) => finish(improving.improveOrder(times))
const searchOrders = (times: StopTimes, limit: Score, width?: number) =>
  finish(searching.searchOrders(times, limit, width))
const bookings = (count: number, drops: number) =>
  Array.from({ length: count }, (_, seed) => {
    const table = randomDrops(drops, seed)
    return { table, times: new StopTimes(table), best: bestScore(table) as Score }
  })

describe('searchOrders', () => {
  it('limit just above the optimum -> the optimum; limit at the optimum -> null', () => {
    for (const { table, times, best } of bookings(60, 8)) {
      const found = searchOrders(times, { late: best.late, end: best.end + 1 })
      expect(found).toMatchObject(best)
      expect(scoreOf(planArrivals(table, found?.order) as DropPlan, table)).toEqual(best)
      expect(searchOrders(times, best)).toBe(null)
    }
  })

  it('width of one -> an order, at most as good as with a large width', () => {
    const endless: Score = { late: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY }
    let worse = 0
    for (const { times, best } of bookings(20, 8)) {
      const narrow = searchOrders(times, endless, 1)
      expect(narrow?.order.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      if (isBetter(best, narrow as Score)) worse++
      expect(searchOrders(times, endless, 1000)).toMatchObject(best)
    }
    expect(worse).toBeGreaterThan(0)
  })
})

describe('improveOrder', () => {
  it('found order -> no exchange of two adjacent blocks and no reversal is better', () => {
    for (const { table, times } of bookings(10, 9)) {
      const { order, ...score } = improveOrder(times)
      expect(scoreOf(planArrivals(table, order) as DropPlan, table)).toEqual(score)
      for (const changed of neighbours(order))
        expect(isBetter(scoreOf(planArrivals(table, changed) as DropPlan, table), score)).toBe(false)
    }
  })

  it('ten drops -> mostly the optimum', () => {
    const found = bookings(20, 10).filter(({ times, best }) => !isBetter(best, improveOrder(times)))
    expect(found.length).toBeGreaterThan(15)
  })
})

describe('walkBounds', () => {
  it('rest of any order -> takes at least the walk and the prizes', () => {
    for (const { table, times } of bookings(30, 8)) {
      const bounds = walkBounds(times)
      const { order } = improveOrder(times)
      for (const tried of [order, order.toReversed(), order.toSorted()]) {
        let rest = 0
        for (let left = 1; left <= tried.length; left++) {
          const at = tried.length - left
          const from = at > 0 ? (tried[at - 1] as number) : 0
          rest += times.drive(from, tried[at] as number) + table.serviceS * 1000
          const prizes = tried.slice(at).reduce((sum, drop) => sum + bounds.prize(drop), 0)
          expect(bounds.walk(left, from) + prizes).toBeLessThanOrEqual(rest)
        }
      }
    }
  })

  it('complete order without windows -> the bound is within 5 % of the optimum on average', () => {
    const open = Array.from({ length: 20 }, (_, seed) => {
      const table = { ...randomDrops(10, seed), windows: Array.from({ length: 10 }, () => null) }
      const bounds = walkBounds(new StopTimes(table))
      const prizes = table.windows.reduce((sum, _, at) => sum + bounds.prize(at + 1), 0)
      return (bounds.walk(10, 0) + prizes) / (bestScore(table) as Score).end
    })
    expect(Math.max(...open)).toBeLessThanOrEqual(1)
    expect(open.reduce((sum, share) => sum + share, 0) / open.length).toBeGreaterThan(0.95)
  })
})

function neighbours(order: readonly number[]): number[][] {
  const changed: number[][] = []
  for (let from = 0; from < order.length; from++)
    for (let to = from + 2; to <= order.length; to++) {
      const block = order.slice(from, to)
      for (let cut = 1; cut < block.length; cut++)
        changed.push([
          ...order.slice(0, from),
          ...block.slice(cut),
          ...block.slice(0, cut),
          ...order.slice(to),
        ])
      changed.push([...order.slice(0, from), ...block.toReversed(), ...order.slice(to)])
    }
  return changed
}
