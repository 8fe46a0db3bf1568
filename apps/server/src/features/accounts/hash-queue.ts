import { Refusal } from '@hansom/domain/error-keys'

export interface HashQueueLimits {
  /** How many run at the same time. */
  atOnce: number
  /** How many of one who asks may wait, and of all together. */
  waitingOfOne: number
  waiting: number
}

/** A hash takes a tenth of a second of one of four threads, which files and host names need as well. */
const defaults: HashQueueLimits = { atOnce: 2, waitingOfOne: 300, waiting: 1_000 }

/**
 * Work that visitors can cause and that is dear. Those who ask take turns, so that one who asks for much waits for
 * themselves; more than may wait is refused with too_many_requests before it costs anything.
 */
export class HashQueue {
  private readonly limits: HashQueueLimits
  /** What waits, by who asks; whose turn is next stands first. */
  private readonly waiting = new Map<string, (() => void)[]>()
  private waits = 0
  private running = 0

  constructor(limits: Partial<HashQueueLimits> = {}) {
    this.limits = { ...defaults, ...limits }
  }

  async run<Result>(asker: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limits.atOnce) await this.turn(asker)
    else this.running++
    try {
      return await work()
    } finally {
      this.next()
    }
  }

  private turn(asker: string): Promise<void> {
    const own = this.waiting.get(asker) ?? []
    if (own.length >= this.limits.waitingOfOne || this.waits >= this.limits.waiting) {
      throw new Refusal('too_many_requests', { data: { retryAfterS: 5 } })
    }
    this.waiting.set(asker, own)
    this.waits++
    return new Promise((resolve) => own.push(resolve))
  }

  /** Hands the place that has become free to the next, whose others then stand behind everybody else. */
  private next(): void {
    const [first] = this.waiting
    if (first === undefined) {
      this.running--
      return
    }
    const [asker, own] = first
    this.waits--
    const begin = own.shift()
    this.waiting.delete(asker)
    if (own.length > 0) this.waiting.set(asker, own)
    begin?.()
  }
}
