import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestScore, excess, scoreOf } from './best-score.fixture.ts'
import { type DropPlan, orderStops, planArrivals } from './order-stops.ts'
import { randomDrops } from './random-drops.fixture.ts'
import type { DropTable } from './stop-times.ts'

const start = Date.UTC(2026, 5, 3, 11)
const minutes = (count: number) => start + count * 60_000
const orderOf = (plan: DropPlan | null) => plan?.drops.map(({ drop }) => drop)

/** Stops on a street at the given minutes of driving from its start; the pickup first. One minute at each drop. */
function onStreet(
  places: readonly number[],
  windows: Record<number, [from: number, to: number]> = {},
): DropTable {
  return {
    drivingS: places.map((from) => places.map((to) => Math.abs(from - to) * 60)),
    departure: start,
    serviceS: 60,
    windows: places.slice(1).map((_, at) => {
      const window = windows[at + 1]
      return window ? { from: minutes(window[0]), to: minutes(window[1]) } : null
    }),
  }
}

describe('planArrivals', () => {
  it('order of the sender -> driving, waiting and service add up', () => {
    const table = onStreet([0, 10, 4], { 1: [15, 30], 2: [0, 20] })
    expect(planArrivals(table)).toEqual({
      drops: [
        { drop: 1, arrival: minutes(10), lateS: 0 },
        { drop: 2, arrival: minutes(22), lateS: 120 },
      ],
      end: minutes(23),
      lateS: 120,
    })
  })

  it('another order -> its times', () => {
    expect(planArrivals(onStreet([0, 10, 4]), [2, 1])).toMatchObject({
      drops: [{ arrival: minutes(4) }, { arrival: minutes(11) }],
      end: minutes(12),
    })
  })

  it('arrival at the end of the window -> not late', () => {
    expect(planArrivals(onStreet([0, 10], { 1: [0, 10] }))?.lateS).toBe(0)
    expect(planArrivals(onStreet([0, 10], { 1: [0, 9.99] }))?.lateS).toBeCloseTo(0.6, 3)
  })

  it('no route to the next drop -> null', () => {
    const table = onStreet([0, 10, 4])
    const drivingS = [
      [0, 600, 240],
      [600, 0, null],
      [240, 360, 0],
    ]
    expect(planArrivals({ ...table, drivingS })).toBe(null)
    expect(planArrivals({ ...table, drivingS }, [2, 1])).not.toBe(null)
  })

  it('not an order of all drops -> RangeError', () => {
    for (const order of [[], [1], [1, 1], [1, 3], [1, 2, 2]])
      expect(() => planArrivals(onStreet([0, 10, 4]), order)).toThrow(RangeError)
  })
})

describe('orderStops', () => {
  it('no windows -> the shortest drive, there and not back', () => {
    expect(orderOf(orderStops(onStreet([0, 30, 10, 20])))).toEqual([2, 3, 1])
    expect(orderOf(orderStops(onStreet([10, 30, 0, 12])))).toEqual([2, 3, 1])
  })

  it('one-way streets -> the direction that is faster', () => {
    const drivingS = [
      [0, 60, 60, 60],
      [0, 0, 60, 900],
      [0, 900, 0, 60],
      [0, 60, 900, 0],
    ]
    const table = { ...onStreet([0, 1, 2, 3]), drivingS }
    expect(
      orderStops({ ...table, drivingS: [[0, 900, 60, 900], ...drivingS.slice(1)] })?.drops[0]?.drop,
    ).toBe(2)
    expect(orderStops(table)?.end).toBe(minutes(6))
  })

  it('deadline that the shortest drive misses -> kept by a detour', () => {
    const plan = orderStops(onStreet([0, 5, 20], { 2: [0, 20] }))
    expect(orderOf(plan)).toEqual([2, 1])
    expect(plan?.lateS).toBe(0)
  })

  it('late window -> other drops first instead of waiting', () => {
    expect(orderOf(orderStops(onStreet([0, 5, 20], { 1: [50, 80] })))).toEqual([2, 1])
  })

  it('windows that exclude each other -> least lateness together, then the earliest end', () => {
    const plan = orderStops(onStreet([50, 40, 60, 90], { 1: [0, 10], 2: [0, 10] }))
    expect(orderOf(plan)).toEqual([1, 2, 3])
    expect(plan?.lateS).toBe(21 * 60)
  })

  it('drop without a route -> null', () => {
    for (const count of [2, 15]) {
      const table = randomDrops(count, 1)
      const drivingS = table.drivingS.map((row) => row.map((seconds, to) => (to === 2 ? null : seconds)))
      expect(orderStops({ ...table, drivingS })).toBe(null)
    }
  })

  it('drop with no route out of it -> the last one, also when it should have been the first', () => {
    for (const count of [3, 15]) {
      const table = randomDrops(count, 4)
      const drivingS = table.drivingS.map((row, from) => (from === 2 ? row.map(() => null) : row))
      const windows = table.windows.map((_, at) => (at === 1 ? { from: 0, to: table.departure } : null))
      expect(orderStops({ ...table, drivingS })?.drops.at(-1)?.drop).toBe(2)
      expect(orderStops({ ...table, drivingS, windows })?.drops.at(-1)?.drop).toBe(2)
    }
  })

  it('one pair in four without a route -> an order that has routes', () => {
    for (let seed = 0; seed < 5; seed++) {
      const table = randomDrops(15, seed)
      const drivingS = table.drivingS.map((row, from) =>
        row.map((seconds, to) => ((from * 7 + to * 3 + seed) % 4 === 0 ? null : seconds)),
      )
      const plan = orderStops({ ...table, drivingS })
      expect(plan && bestScore({ ...table, drivingS }, scoreOf(plan, table))).toBe(null)
      expect(plan?.end).toBeGreaterThan(start)
    }
  })

  it('all drops in one place -> an order without driving', () => {
    const table = onStreet([5, ...Array.from({ length: 20 }, () => 5)])
    expect(orderStops(table)?.end).toBe(minutes(20))
  })

  it.each<[string, Partial<DropTable>]>([
    ['no drops', { drivingS: [[0]], windows: [] }],
    ['21 drops', randomDrops(21, 0)],
    [
      'row missing',
      {
        drivingS: [
          [0, 1, 1],
          [1, 0, 1],
        ],
      },
    ],
    [
      'column missing',
      {
        drivingS: [
          [0, 1, 1],
          [1, 0],
          [1, 1, 0],
        ],
      },
    ],
    [
      'negative driving time',
      {
        drivingS: [
          [0, 1, 1],
          [1, 0, -1],
          [1, 1, 0],
        ],
      },
    ],
    ['negative service', { serviceS: -1 }],
    ['invalid departure', { departure: Number.NaN }],
    ['window that ends first', { windows: [null, { from: start, to: start - 1 }] }],
  ])('%s -> RangeError', (_, wrong) => {
    expect(() => orderStops({ ...onStreet([0, 1, 2]), ...wrong })).toThrow(RangeError)
  })

  it('200 bookings of up to 10 drops -> the exact optimum', () => {
    let late = 0
    for (let seed = 0; seed < 200; seed++) {
      const table = randomDrops(1 + (seed % 10), seed)
      const plan = orderStops(table) as DropPlan
      expect([seed, scoreOf(plan, table)]).toEqual([seed, bestScore(table)])
      expect(plan).toEqual(planArrivals(table, orderOf(plan)))
      if (plan.lateS > 0) late++
    }
    expect(late).toBeGreaterThan(25)
    expect(late).toBeLessThan(100)
  })

  it('any table of few drops -> no other order is better', () => {
    fc.assert(
      fc.property(anyTable(5), (table) => {
        const plan = orderStops(table)
        expect(plan && scoreOf(plan, table)).toEqual(bestScore(table))
        expect(
          permutations(table.windows.length).some((order) => isBetterPlan(planArrivals(table, order), plan)),
        ).toBe(false)
      }),
    )
  })

  it('11 to 20 drops -> each once, no worse than the order of the sender, the same every time', () => {
    for (let drops = 11; drops <= 20; drops++) {
      const table = randomDrops(drops, drops)
      const plan = orderStops(table)
      expect(orderOf(plan)?.toSorted((a, b) => a - b)).toEqual(table.windows.map((_, at) => at + 1))
      expect(isBetterPlan(planArrivals(table), plan)).toBe(false)
      expect(orderStops(table)).toEqual(plan)
    }
  })

  it('20 drops -> within 2 % of the optimum', () => {
    for (let seed = 0; seed < 2; seed++) {
      const table = randomDrops(20, seed)
      const score = scoreOf(orderStops(table) as DropPlan, table)
      expect(excess(score, bestScore(table, score) ?? score)).toBeLessThan(2)
    }
  })
})

/** Whole minutes, so that equal times are frequent; some pairs have no route. */
function anyTable(mostDrops: number): fc.Arbitrary<DropTable> {
  const driving = fc.option(
    fc.integer({ min: 0, max: 20 }).map((count) => count * 60),
    { freq: 8 },
  )
  const window = fc
    .tuple(fc.integer({ min: -10, max: 60 }), fc.integer({ min: 0, max: 30 }))
    .map(([from, length]) => ({ from: minutes(from), to: minutes(from + length) }))
  return fc.integer({ min: 1, max: mostDrops }).chain((drops) => {
    const row = fc.array(driving, { minLength: drops + 1, maxLength: drops + 1 })
    return fc.record({
      drivingS: fc.array(row, { minLength: drops + 1, maxLength: drops + 1 }),
      departure: fc.constant(start),
      serviceS: fc.constantFrom(0, 60),
      windows: fc.array(fc.option(window), { minLength: drops, maxLength: drops }),
    })
  })
}

function permutations(count: number): number[][] {
  if (count === 0) return [[]]
  return permutations(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => [...order.slice(0, at), count, ...order.slice(at)]),
  )
}

function isBetterPlan(plan: DropPlan | null, than: DropPlan | null): boolean {
  if (plan === null) return false
  if (than === null) return true
  return plan.lateS < than.lateS || (plan.lateS === than.lateS && plan.end < than.end)
}
