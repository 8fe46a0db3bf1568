import { isBetter, type Score, type StopTimes } from './stop-times.ts'

/** A visiting order and its score. */
export interface ScoredOrder extends Score {
  order: readonly number[]
}

/** Restarts from a changed order; each takes about a millisecond at 20 drops. */
const restarts = 60

/**
 * A good visiting order by iterated local search (Lourenço, Martin and Stützle, 2003). It starts by deadline, and
 * continues from orders in which blocks were exchanged. The exchanges are the same in every run. Yields between the restarts.
 */
export function* improveOrder(times: StopTimes): Generator<void, ScoredOrder> {
  const search = new LocalSearch(times)
  const random = randomSource()
  const numbers = Array.from({ length: times.drops }, (_, at) => at + 1)
  let best = search.improve(numbers.toSorted((a, b) => times.deadline(a) - times.deadline(b)))
  let current = best
  for (let restart = 0; restart < restarts; restart++) {
    const found = search.improve(exchangeBlocks(exchangeBlocks(current.order, random), random))
    if (!isBetter(current, found)) current = found
    if (isBetter(found, best)) best = found
    yield
  }
  return best
}

/** The order with two adjacent blocks exchanged, both of random length. */
function exchangeBlocks(order: readonly number[], random: () => number): number[] {
  const cut = () => Math.floor(random() * (order.length + 1))
  const [a = 0, b = 0, c = 0] = [cut(), cut(), cut()].sort((one, other) => one - other)
  return [...order.slice(0, a), ...order.slice(b, c), ...order.slice(a, b), ...order.slice(c)]
}

/** Mulberry32 with a fixed seed. */
function randomSource(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Changes an order for as long as that makes it better: exchanges two adjacent blocks of any length, or reverses a
 * block. Keeps the times of the current order, so a change is timed from its first drop, and no further than it can win.
 */
class LocalSearch {
  private readonly order: Int32Array
  private readonly changed: Int32Array
  /** After the first `k` drops. */
  private readonly ends: Float64Array
  private readonly lates: Float64Array

  constructor(private readonly times: StopTimes) {
    this.order = new Int32Array(times.drops)
    this.changed = new Int32Array(times.drops)
    this.ends = new Float64Array(times.drops + 1)
    this.lates = new Float64Array(times.drops + 1)
  }

  improve(start: readonly number[]): ScoredOrder {
    const { drops } = this.times
    this.order.set(start)
    this.retime(0)
    for (let isFinal = false; !isFinal; ) {
      isFinal = true
      for (let from = 0; from < drops - 1; from++)
        for (let to = from + 2; to <= drops; to++)
          for (let middle = from; middle < to; middle++) {
            this.change(from, middle, to)
            if (!this.isBetterChanged(from, to)) continue
            this.order.set(this.changed.subarray(from, to), from)
            this.retime(from)
            isFinal = false
          }
    }
    return { order: [...this.order], late: this.lates[drops] as number, end: this.ends[drops] as number }
  }

  /** Writes the block from `from` to `to` with its parts at `middle` exchanged, or reversed without a first part. */
  private change(from: number, middle: number, to: number): void {
    const { order, changed } = this
    let at = from
    if (middle === from) for (let old = to - 1; old >= from; old--) changed[at++] = order[old] as number
    for (let old = middle; at < to && old < to; old++) changed[at++] = order[old] as number
    for (let old = from; at < to; old++) changed[at++] = order[old] as number
  }

  private isBetterChanged(from: number, to: number): boolean {
    const { times, order, changed, ends, lates } = this
    const { drops } = times
    const mostLate = lates[drops] as number
    let last = from === 0 ? 0 : (order[from - 1] as number)
    let now = ends[from] as number
    let late = lates[from] as number
    for (let at = from; at < drops; at++) {
      const drop = (at < to ? changed[at] : order[at]) as number
      const arrival = now + times.drive(last, drop)
      late += times.lateAt(drop, arrival)
      if (late > mostLate) return false
      now = times.leave(drop, arrival)
      last = drop
      // From the same drop, later and with more lateness, the rest cannot be better.
      if (at >= to && now >= (ends[at + 1] as number) && late >= (lates[at + 1] as number)) return false
    }
    return late < mostLate || now < (ends[drops] as number)
  }

  /** Updates the times of the order from its `from`th drop. */
  private retime(from: number): void {
    const { times, order, ends, lates } = this
    for (let at = from; at < times.drops; at++) {
      const drop = order[at] as number
      const arrival = (ends[at] as number) + times.drive(at === 0 ? 0 : (order[at - 1] as number), drop)
      lates[at + 1] = (lates[at] as number) + times.lateAt(drop, arrival)
      ends[at + 1] = times.leave(drop, arrival)
    }
  }
}
