import type { ScoredOrder } from './improve-order.ts'
import { isBetter, type Score, type StopTimes } from './stop-times.ts'
import { walkBounds } from './walk-bounds.ts'

/** A partial order, described by what the rest depends on: the drops it visited, the last one, and its score. */
interface Label extends Score {
  /** Bit `d` is set for each visited drop `d`. */
  visited: number
  last: number
  /** Lower bound for the complete orders, without waiting for later windows; a second of lateness counts as 100. */
  rank: number
  previous: Label | null
  /** Number of the next label of the same bucket. */
  next: number
}

/** Labels that are continued before the next pause. */
const labelsAtOnce = 500

/**
 * The best visiting order that is better than `limit`, or null: dynamic programming over subsets of the drops (Held and
 * Karp, 1962), one number of visited drops after the other.
 *
 * Earlier is never worse, but an order can be earlier and have more lateness, so partial orders of the same drops and
 * last drop are all kept unless another is at least as good in both. Those that cannot become better than `limit` are
 * dropped. With a `width`, only that number of the most promising ones is continued; the result is exact without. Yields
 * every few milliseconds.
 */
export function* searchOrders(
  times: StopTimes,
  limit: Score,
  width?: number,
): Generator<void, ScoredOrder | null> {
  const { drops } = times
  const bounds = walkBounds(times)
  const fastest = shortestTimes(times)

  /** The label for driving on to `drop`, or null if it cannot become better than the limit. */
  function visit(label: Label, drop: number, left: number): Label | null {
    const arrival = label.end + times.drive(label.last, drop)
    const late = label.late + times.lateAt(drop, arrival)
    const end = times.leave(drop, arrival)
    const visited = label.visited | (1 << drop)
    let leastLate = late
    let walkEnd = end + bounds.walk(left, drop)
    let windowsEnd = end
    for (let later = 1; later <= drops; later++) {
      if (visited & (1 << later)) continue
      const soonest = end + (fastest[drop * (drops + 1) + later] as number)
      leastLate += times.lateAt(later, soonest)
      walkEnd += bounds.prize(later)
      windowsEnd = Math.max(windowsEnd, times.leave(later, soonest))
    }
    if (leastLate > limit.late) return null
    if (leastLate === limit.late && Math.max(walkEnd, windowsEnd) >= limit.end) return null
    return { visited, last: drop, late, end, rank: leastLate * 100 + walkEnd, previous: label, next: 0 }
  }

  let labels: Label[] = [{ visited: 0, last: 0, late: 0, end: 0, rank: 0, previous: null, next: 0 }]
  for (let left = drops - 1; left >= 0; left--) {
    const found = new LabelTable()
    for (const [number, label] of labels.entries()) {
      if (number % labelsAtOnce === labelsAtOnce - 1) yield
      for (let drop = 1; drop <= drops; drop++) {
        if (label.visited & (1 << drop)) continue
        const next = visit(label, drop, left)
        if (next) found.add(next)
      }
    }
    labels = found.labels
    if (width !== undefined && labels.length > width) labels = mostPromising(labels, width)
    yield
  }
  return labels.reduce<ScoredOrder | null>(
    (best, label) => (best === null || isBetter(label, best) ? orderOf(label) : best),
    null,
  )
}

/** Labels with one number of visited drops, in a hash table: of equal drops and last drop, the best ones. */
class LabelTable {
  readonly labels: Label[] = []
  /** Number of the first label of each bucket, from 1. */
  private readonly firsts = new Int32Array(2 ** 15)

  add(label: Label): void {
    const bucket = (Math.imul(label.visited, 0x9e3779b1) >>> 17) ^ label.last
    const first = this.firsts[bucket] as number
    for (let number = first; number > 0; ) {
      const other = this.labels[number - 1] as Label
      if (other.visited === label.visited && other.last === label.last) {
        if (other.late <= label.late && other.end <= label.end) return
        if (label.late <= other.late && label.end <= other.end) {
          label.next = other.next
          this.labels[number - 1] = label
          return
        }
      }
      number = other.next
    }
    label.next = first
    this.firsts[bucket] = this.labels.push(label)
  }
}

function mostPromising(labels: readonly Label[], width: number): Label[] {
  // Sorting plain numbers is several times faster than sorting labels.
  const last = Float64Array.from(labels, ({ rank }) => rank).sort()[width] as number
  const better = labels.filter(({ rank }) => rank < last)
  return [...better, ...labels.filter(({ rank }) => rank === last).slice(0, width - better.length)]
}

function orderOf({ late, end, ...reached }: Label): ScoredOrder {
  const order: number[] = []
  let label: Pick<Label, 'last' | 'previous'> | null = reached
  for (; label?.previous; label = label.previous) order.unshift(label.last)
  return { order, late, end }
}

/** The shortest time between stops when other drops may be passed without stopping (Floyd and Warshall). */
function shortestTimes(times: StopTimes): Float64Array {
  const stops = times.drops + 1
  const shortest = Float64Array.from({ length: stops ** 2 }, (_, at) =>
    times.drive(Math.floor(at / stops), at % stops),
  )
  const between = (from: number, to: number) => shortest[from * stops + to] as number
  for (let via = 1; via < stops; via++)
    for (let from = 0; from < stops; from++)
      for (let to = 0; to < stops; to++)
        shortest[from * stops + to] = Math.min(between(from, to), between(from, via) + between(via, to))
  return shortest
}
