import { improveOrder } from './improve-order.ts'
import { searchOrders } from './search-orders.ts'
import { type DropTable, StopTimes } from './stop-times.ts'

/** A drop as the courier will reach it. */
export interface PlannedDrop {
  /** Its number in the sender's order, from 1. */
  drop: number
  /** When the courier gets there, epoch ms; before the window, if the courier has to wait. */
  arrival: number
  /** Seconds after the end of its window; 0 when the window is kept or there is none. */
  lateS: number
}

/** The drops in visiting order. */
export interface DropPlan {
  drops: PlannedDrop[]
  /** When the last drop is done, epoch ms. */
  end: number
  /** Lateness of all drops together, seconds. */
  lateS: number
}

/** Deliveries with at most this number of drops get the best of all orders. */
const exactUpTo = 10

/**
 * Labels kept per number of visited drops. Where windows are missed, few can be ruled out early, so fewer are kept: 20
 * drops take about 0.1 s either way. See `npm run bench -- stops`.
 */
const beamWidth = { kept: 2000, missed: 1000 }

/**
 * The best order of the drops: the least lateness of all drops together, none if possible; among those, the order whose
 * last drop is done first, counting driving, waiting for windows and service. Times are planned to the millisecond.
 *
 * Up to 10 drops it is the exact optimum. Above, a local search finds a good order, and dynamic programming that keeps
 * the most promising partial orders improves on it or proves that it is the best. The result is always the same for the
 * same table. Null when no order reaches every drop. Throws RangeError for an invalid table. Yields every few milliseconds.
 */
export function* orderingSteps(table: DropTable): Generator<void, DropPlan | null> {
  const times = new StopTimes(table)
  if (times.drops <= exactUpTo) {
    const best = yield* searchOrders(times, { late: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY })
    return best && planArrivals(table, best.order)
  }
  const good = yield* improveOrder(times)
  const best = (yield* searchOrders(times, good, good.late > 0 ? beamWidth.missed : beamWidth.kept)) ?? good
  return planArrivals(table, best.order)
}

/** The result of `orderingSteps`, without a pause. */
export function orderStops(table: DropTable): DropPlan | null {
  return finish(orderingSteps(table))
}

/** The result of work in steps, without a pause. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * The times of the drops in a given order of their numbers, by default the sender's. Null when a drop has no route from
 * the stop before it. Throws RangeError for an invalid table, or an order that is not one of all its drops.
 */
export function planArrivals(table: DropTable, order?: readonly number[]): DropPlan | null {
  const times = new StopTimes(table)
  const numbers = Array.from({ length: times.drops }, (_, at) => at + 1)
  const visited = order ?? numbers
  if (visited.length !== times.drops || !numbers.every((drop) => visited.includes(drop)))
    throw new RangeError('the order must have each drop once')
  let last = 0
  let now = 0
  let late = 0
  const drops = visited.map((drop): PlannedDrop => {
    const arrival = now + times.drive(last, drop)
    const dropLate = times.lateAt(drop, arrival)
    now = times.leave(drop, arrival)
    late += dropLate
    last = drop
    return { drop, arrival: table.departure + arrival, lateS: dropLate / 1000 }
  })
  return now === Number.POSITIVE_INFINITY ? null : { drops, end: table.departure + now, lateS: late / 1000 }
}
