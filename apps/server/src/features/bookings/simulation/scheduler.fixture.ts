import { MinHeap } from '@hansom/domain/min-heap'
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
  /** Places in `works` by time. */
  private readonly queue = new MinHeap()
  private readonly works: ((() => void) | undefined)[] = []
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
    while (this.queue.leastKey <= end) {
      this.now = this.queue.leastKey
      const place = this.queue.pop()
      this.works[place]?.()
      this.works[place] = undefined
      // All that can go on without time passing does so first.
      await new Promise((resume) => setImmediate(resume))
    }
    this.now = end
  }

  private at(at: number, run: () => void): void {
    this.queue.push(at, this.works.push(run) - 1)
  }
}
