import { Refusal } from '@hansom/domain/error-keys'

export interface HashQueueLimits {
  /** Maximum number of concurrent jobs. */
  maxRunning: number
  /** Maximum number of waiting jobs, per caller and in total. */
  maxWaitingPerCaller: number
  maxWaiting: number
}

/** A hash occupies one of libuv's four threads for a tenth of a second; files and DNS lookups need those as well. */
const defaults: HashQueueLimits = { maxRunning: 2, maxWaitingPerCaller: 300, maxWaiting: 1_000 }

/**
 * Runs expensive jobs that visitors can cause. Callers take turns, so one who queues many delays only their own; jobs
 * beyond the limits are refused with too_many_requests before they cost anything.
 */
export class HashQueue {
  private readonly limits: HashQueueLimits
  /** Waiting jobs by caller; the first caller is next. */
  private readonly waiting = new Map<string, (() => void)[]>()
  private waits = 0
  private running = 0

  constructor(limits: Partial<HashQueueLimits> = {}) {
    this.limits = { ...defaults, ...limits }
  }

  async run<Result>(asker: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limits.maxRunning) await this.turn(asker)
    else this.running++
    try {
      return await work()
    } finally {
      this.next()
    }
  }

  private turn(asker: string): Promise<void> {
    const own = this.waiting.get(asker) ?? []
    if (own.length >= this.limits.maxWaitingPerCaller || this.waits >= this.limits.maxWaiting) {
      throw new Refusal('too_many_requests', { data: { retryAfterS: 5 } })
    }
    this.waiting.set(asker, own)
    this.waits++
    return new Promise((resolve) => own.push(resolve))
  }

  /** Passes the free slot to the next caller, whose other jobs move behind those of all other callers. */
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
