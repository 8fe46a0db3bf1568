import type { Clock } from '../../../platform/clock/clock.ts'

/**
 * Virtual time and chance from one seed. Work runs one piece after the other, each to its next wait, so a seed always gives the
 * same run. Nothing in a run may wait for anything else.
 */
export class Scheduler {
  /** Epoch ms. */
  now = Date.UTC(2026, 0, 5, 12)
  readonly startedAt = this.now
  /** Failures of work that is not awaited. */
  readonly failures: unknown[] = []
  private readonly queue: { at: number; order: number; run: () => void }[] = []
  private order = 0
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to (not including) 1: mulberry32, in the public domain. */
  random(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  between(from: number, to: number): number {
    return from + (to - from) * this.random()
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.now + ms, resolve))
  }

  /** Starts work of its own at a time. */
  start(work: () => Promise<void>, afterMs = 0): void {
    this.at(this.now + afterMs, () => void work().catch((error: unknown) => this.failures.push(error)))
  }

  /** A machine's clock, which may be off. */
  clock(offsetMs: number): Clock {
    return {
      now: () => Math.floor(this.now + offsetMs),
      elapsed: () => this.now - this.startedAt,
      speed: 1,
      delay: (ms) => this.delay(ms),
    }
  }

  /** Runs all work of the next `ms`. */
  async run(ms: number): Promise<void> {
    const end = this.now + ms
    for (let next = this.take(end); next !== undefined; next = this.take(end)) {
      this.now = next.at
      next.run()
      // All that can go on without time passing does so first.
      await new Promise((resume) => setImmediate(resume))
    }
    this.now = end
  }

  private at(at: number, run: () => void): void {
    const { queue } = this
    queue.push({ at, order: this.order++, run })
    let place = queue.length - 1
    for (let up = (place - 1) >> 1; place > 0 && this.isBefore(place, up); place = up, up = (up - 1) >> 1)
      this.swap(place, up)
  }

  private take(end: number): { at: number; run: () => void } | undefined {
    const { queue } = this
    const [first] = queue
    if (first === undefined || first.at > end) return undefined
    this.swap(0, queue.length - 1)
    queue.pop()
    for (let place = 0, down = 1; down < queue.length; place = down, down = 2 * down + 1) {
      if (down + 1 < queue.length && this.isBefore(down + 1, down)) down++
      if (!this.isBefore(down, place)) break
      this.swap(place, down)
    }
    return first
  }

  private isBefore(a: number, b: number): boolean {
    const [one, two] = [this.queue[a], this.queue[b]]
    if (!one || !two) return false
    return one.at < two.at || (one.at === two.at && one.order < two.order)
  }

  private swap(a: number, b: number): void {
    const { queue } = this
    ;[queue[a], queue[b]] = [queue[b] as (typeof queue)[0], queue[a] as (typeof queue)[0]]
  }
}
