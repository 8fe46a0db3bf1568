interface Window {
  count: number
  startedAt: number
}

/**
 * Counts what each key does in a window of time. A bounded number of keys is remembered: those whose window began first
 * are forgotten first.
 */
export class Counts {
  private readonly windows = new Map<string, Window>()
  private readonly most: number
  private readonly time: () => number

  /** `time`: of the machine, ms. */
  constructor(most: number, time: () => number = () => performance.now()) {
    this.most = most
    this.time = time
  }

  get size(): number {
    return this.windows.size
  }

  /** Counts one more; answers with how many there were in this window, and when it ends, ms from now. */
  add(key: string, windowMs: number): { count: number; leftMs: number } {
    const now = this.time()
    const known = this.windows.get(key)
    if (known !== undefined && now - known.startedAt < windowMs) {
      known.count++
      return { count: known.count, leftMs: windowMs - (now - known.startedAt) }
    }
    this.windows.delete(key)
    this.windows.set(key, { count: 1, startedAt: now })
    if (this.windows.size > this.most) {
      const [oldest] = this.windows.keys()
      if (oldest !== undefined) this.windows.delete(oldest)
    }
    return { count: 1, leftMs: windowMs }
  }
}
