import type { ScoredOrder } from './improve-order.ts'
import { isBetter, type Score, type StopTimes } from './stop-times.ts'
import { walkBounds } from './walk-bounds.ts'

/** A partial order, described by what the rest depends on: the drops it visited, the last one, and its score. */
interface Label extends Score {
  /** Bit `d` is set for each visited drop `d`. */
  visited: number
  last: number
  /** Of the complete order, at least; `end` without waiting for later windows. */
  bound: Score
  previous: Label | null
  /** The next label with the same drops and the same last one. */
  sibling: Label | null
}

/**
 * The best visiting order that is better than `limit`, or null: dynamic programming over subsets of the drops (Held and
 * Karp, 1962), one number of visited drops after the other.
 *
 * Earlier is never worse, but an order can be earlier and have more lateness, so partial orders of the same drops and
 * last drop are all kept unless another is at least as good in both. Those that cannot become better than `limit` are
 * dropped. With a `width`, only that number of the most promising ones is continued; the result is exact without.
 */
export function searchOrders(times: StopTimes, limit: Score, width?: number): ScoredOrder | null {
  const { drops } = times
  const bounds = walkBounds(times)
  const fastest = shortestTimes(times)
  let labels: Label[] = [
    { visited: 0, last: 0, late: 0, end: 0, bound: { late: 0, end: 0 }, previous: null, sibling: null },
  ]

  /** The label for driving on to `drop`, or null if it cannot become better than the limit. */
  function visit(label: Label, drop: number, left: number): Label | null {
    const arrival = label.end + times.drive(label.last, drop)
    const late = label.late + times.lateAt(drop, arrival)
    const end = times.leave(drop, arrival)
    const visited = label.visited | (1 << drop)
    const bound = { late, end: end + bounds.walk(left, drop) }
    let windowsEnd = end
    for (let later = 1; later <= drops; later++) {
      if (visited & (1 << later)) continue
      const soonest = end + (fastest[drop]?.[later] as number)
      bound.late += times.lateAt(later, soonest)
      bound.end += bounds.prize(later)
      windowsEnd = Math.max(windowsEnd, times.leave(later, soonest))
    }
    // The walk is endless when no order of the remaining drops has a route.
    if (bound.end === Number.POSITIVE_INFINITY) return null
    if (!isBetter({ late: bound.late, end: Math.max(bound.end, windowsEnd) }, limit)) return null
    return { visited, last: drop, late, end, bound, previous: label, sibling: null }
  }

  for (let left = drops - 1; left >= 0; left--) {
    const next = new Map<number, Label | null>()
    for (const label of labels)
      for (let drop = 1; drop <= drops; drop++) {
        if (label.visited & (1 << drop)) continue
        const found = visit(label, drop, left)
        if (!found) continue
        const key = found.visited * 32 + drop
        const siblings = next.get(key) ?? null
        if (!isDominated(found, siblings)) next.set(key, withoutDominated(found, siblings))
      }
    labels = []
    for (const first of next.values())
      for (let label = first; label; label = label.sibling) labels.push(label)
    if (width !== undefined && labels.length > width) labels = mostPromising(labels, width)
  }

  const [first, ...others] = labels
  return first ? orderOf(others.reduce((best, label) => (isBetter(label, best) ? label : best), first)) : null
}

function isDominated(label: Label, siblings: Label | null): boolean {
  for (let other = siblings; other; other = other.sibling)
    if (other.late <= label.late && other.end <= label.end) return true
  return false
}

/** The label in front of its siblings, without those that it dominates. */
function withoutDominated(label: Label, siblings: Label | null): Label {
  let tail = label
  for (let other = siblings; other; other = other.sibling) {
    if (label.late <= other.late && label.end <= other.end) continue
    tail.sibling = other
    tail = other
  }
  tail.sibling = null
  return label
}

/** A second of lateness counts as 100 seconds of time. Sorting plain numbers is several times faster than labels. */
function mostPromising(labels: readonly Label[], width: number): Label[] {
  const rank = ({ bound }: Label) => bound.late * 100 + bound.end
  const last = Float64Array.from(labels, rank).sort()[width] as number
  return labels.filter((label) => rank(label) < last)
}

function orderOf({ late, end, ...last }: Label): ScoredOrder {
  const order: number[] = []
  for (let label: Pick<Label, 'last' | 'previous'> | null = last; label?.previous; label = label.previous)
    order.unshift(label.last)
  return { order, late, end }
}

/** The shortest time between stops when other drops may be passed without stopping (Floyd and Warshall). */
function shortestTimes(times: StopTimes): number[][] {
  const stops = Array.from({ length: times.drops + 1 }, (_, stop) => stop)
  const shortest = stops.map((from) => stops.map((to) => times.drive(from, to)))
  for (const via of stops.slice(1))
    for (const row of shortest)
      for (const to of stops)
        row[to] = Math.min(row[to] as number, (row[via] as number) + (shortest[via]?.[to] as number))
  return shortest
}
