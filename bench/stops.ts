import { bestScore, excess, scoreOf } from '../packages/domain/src/deliveries/best-score.fixture.ts'
import { type DropPlan, orderStops, planArrivals } from '../packages/domain/src/deliveries/order-stops.ts'
import { randomDrops } from '../packages/domain/src/deliveries/random-drops.fixture.ts'
import type { DropTable, Score } from '../packages/domain/src/deliveries/stop-times.ts'
import { against, type Line, ratioOf, rounded } from './limits.ts'

/**
 * The order of a delivery's drops: the time to find it at 20 drops, and how close it is to the optimum, which dynamic
 * programming over subsets finds. The optimum is 100 %, of the lateness if that differs, otherwise of the time until the
 * last drop is done. The time of a booking is the shortest of three, so that other work on the machine matters less. The
 * peers are simple rules: drive to the nearest drop next, or to the one whose window ends first.
 */
export function run(): Line[] {
  const bookings = Array.from({ length: 50 }, (_, seed) => randomDrops(20, seed))
  const few = Array.from({ length: 200 }, (_, seed) => randomDrops(1 + (seed % 10), seed))
  const open = bookings.slice(0, 10).map((table) => ({ ...table, windows: table.windows.map(() => null) }))

  // The code is compiled before it is timed, as on a server.
  for (let seed = 50; seed < 60; seed++) ours(randomDrops(20, seed))
  const plans = bookings.map(ours)
  const times = bookings.map(shortestTime)
  // Every drop is late in every order: nothing can be ruled out early.
  const missed = bookings.map((table) => ({
    ...table,
    windows: table.windows.map(() => ({ from: table.departure, to: table.departure + 60_000 })),
  }))
  const median = rounded(times.toSorted((a, b) => a - b)[times.length / 2] as number)
  const openOptima = optima(open)
  const lateness = ['20 drops, lateness, mean of 50 bookings', 'min', latenessMin(plans)] as const
  return [
    against(`order of 20 drops, slowest of 50; median ${median} ms`, 'ms', Math.max(...times), 300),
    against(
      'order of 20 drops whose windows cannot be kept, slowest of 50',
      'ms',
      Math.max(...missed.map(shortestTime)),
      300,
    ),
    against(
      '20 drops, worst of 50 bookings',
      '% of the optimum',
      Math.max(...percents(bookings, optima(bookings), ours)),
      102,
    ),
    against(
      '1 to 10 drops, worst of 200 bookings',
      '% of the optimum',
      Math.max(...percents(few, optima(few), ours)),
      100,
    ),
    beside(
      [
        '20 drops without windows, mean of 10 bookings',
        '% of the optimum',
        mean(percents(open, openOptima, ours)),
      ],
      ['nearest next', mean(percents(open, openOptima, nearestNext))],
    ),
    beside(lateness, ['nearest next', latenessMin(bookings.map(nearestNext))]),
    beside(lateness, ['earliest deadline next', latenessMin(bookings.map(earliestDeadlineNext))]),
  ]
}

function optima(bookings: readonly DropTable[]): Score[] {
  return bookings.map((table) => {
    const limit = scoreOf(ours(table), table)
    return bestScore(table, limit) ?? limit
  })
}

function percents(
  bookings: readonly DropTable[],
  optima: readonly Score[],
  rule: (table: DropTable) => DropPlan,
): number[] {
  return bookings.map((table, at) => 100 + excess(scoreOf(rule(table), table), optima[at] as Score))
}

const shortestTime = (table: DropTable) => Math.min(timed(table), timed(table), timed(table))

function timed(table: DropTable): number {
  const began = performance.now()
  ours(table)
  return performance.now() - began
}

function ours(table: DropTable): DropPlan {
  return reached(orderStops(table))
}

function nearestNext(table: DropTable): DropPlan {
  const order: number[] = []
  while (order.length < table.windows.length) {
    const row = table.drivingS[order.at(-1) ?? 0] as number[]
    const left = [...row.keys()].filter((stop) => stop > 0 && !order.includes(stop))
    order.push(left.reduce((best, stop) => ((row[stop] as number) < (row[best] as number) ? stop : best)))
  }
  return reached(planArrivals(table, order))
}

function earliestDeadlineNext(table: DropTable): DropPlan {
  const deadline = (drop: number) => table.windows[drop - 1]?.to ?? Number.MAX_VALUE
  const numbers = table.windows.map((_, at) => at + 1)
  return reached(
    planArrivals(
      table,
      numbers.sort((a, b) => deadline(a) - deadline(b)),
    ),
  )
}

function reached(plan: DropPlan | null): DropPlan {
  if (plan === null) throw new Error('a drop has no route')
  return plan
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const latenessMin = (plans: readonly DropPlan[]) => mean(plans.map(({ lateS }) => lateS / 60))

function beside(
  [job, unit, ours]: readonly [string, string, number],
  [peer_name, peer]: readonly [string, number],
): Line {
  return { job, unit, ours: rounded(ours), peer: rounded(peer), peer_name, ratio: ratioOf(peer, ours) }
}
