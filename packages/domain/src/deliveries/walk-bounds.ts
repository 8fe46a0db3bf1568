import type { StopTimes } from './stop-times.ts'

const rounds = 50

/** Lower bounds on the rest of an order. Windows are ignored. */
export interface WalkBounds {
  /**
   * ms for `left` more drops from stop `last`, less the prizes of those drops. With the prizes of the drops that remain,
   * it is at most the time that they take in any order. Infinity when there is no such walk.
   */
  walk(left: number, last: number): number
  prize(drop: number): number
}

/**
 * State-space relaxation (Christofides, Mingozzi and Toth, 1981): a walk makes as many visits as there are drops, but it
 * may repeat drops, except going straight back to the one before. Each visit earns the drop's prize. Subgradient steps
 * raise the prizes of drops that the best walk misses and lower those of drops that it repeats, until the best walk is
 * almost an order: in a city, the bound is then a few percent below the best order.
 */
export function walkBounds(times: StopTimes): WalkBounds {
  const { drops } = times
  const prizes = new Float64Array(drops + 1)
  let best = new Walks(times, prizes)
  let step = best.total / drops / 10
  for (let round = 0; round < rounds && best.total < Number.POSITIVE_INFINITY; round++) {
    const walks = new Walks(times, prizes)
    if (walks.total > best.total) best = walks
    const visits = walks.countVisits()
    // In whole ms, so that sums are exact.
    for (let drop = 1; drop <= drops; drop++)
      prizes[drop] = (prizes[drop] as number) + Math.round(step) * (1 - (visits[drop] as number))
    step *= 0.93
  }
  return best
}

/** The best walks of any length from any stop. Index: `length * stops + stop`. */
class Walks implements WalkBounds {
  /** Of the best walk through all drops from the pickup, with the prizes of all drops added. */
  readonly total: number
  private readonly stops: number
  private readonly prizes: Float64Array
  /** Cost and first drop of the best walk, and of the best that starts with another drop. */
  private readonly cost: Float64Array
  private readonly next: Int8Array
  private readonly otherCost: Float64Array
  private readonly otherNext: Int8Array

  constructor(times: StopTimes, prizes: Float64Array) {
    const { drops } = times
    this.stops = drops + 1
    this.prizes = prizes.slice()
    this.cost = new Float64Array(this.stops ** 2)
    this.next = new Int8Array(this.stops ** 2)
    this.otherCost = new Float64Array(this.stops ** 2)
    this.otherNext = new Int8Array(this.stops ** 2)
    for (let left = 1; left <= drops; left++)
      for (let stop = 0; stop <= drops; stop++) this.extend(times, left, stop)
    this.total = prizes.reduce((sum, prize) => sum + prize, this.walk(drops, 0))
  }

  walk(left: number, last: number): number {
    return this.cost[left * this.stops + last] as number
  }

  prize(drop: number): number {
    return this.prizes[drop] as number
  }

  /** Number of visits to each drop on the best walk through all drops from the pickup. */
  countVisits(): Uint8Array {
    const visits = new Uint8Array(this.stops)
    let before = 0
    let stop = 0
    for (let left = this.stops - 1; left > 0; left--) {
      const at = left * this.stops + stop
      const next = (this.next[at] === before ? this.otherNext[at] : this.next[at]) as number
      visits[next] = (visits[next] as number) + 1
      before = stop
      stop = next
    }
    return visits
  }

  private extend(times: StopTimes, left: number, stop: number): void {
    let cost = Number.POSITIVE_INFINITY
    let next = 0
    let otherCost = Number.POSITIVE_INFINITY
    let otherNext = 0
    for (let drop = 1; drop < this.stops; drop++) {
      if (drop === stop) continue
      const after = (left - 1) * this.stops + drop
      const rest = (this.next[after] === stop ? this.otherCost[after] : this.cost[after]) as number
      const total = times.drive(stop, drop) + times.service - this.prize(drop) + rest
      if (total < cost) {
        otherCost = cost
        otherNext = next
        cost = total
        next = drop
      } else if (total < otherCost) {
        otherCost = total
        otherNext = drop
      }
    }
    const at = left * this.stops + stop
    this.cost[at] = cost
    this.next[at] = next
    this.otherCost[at] = otherCost
    this.otherNext[at] = otherNext
  }
}
