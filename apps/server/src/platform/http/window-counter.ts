interface Window {
  count: number
  startedAt: number
}

/**
 * Counts per key in a fixed time window. The number of keys is bounded; the key whose window started first is dropped
 * first.
 */
export class WindowCounter {
  private readonly windows = new Map<string, Window>()
  private readonly most: number
  private readonly time: () => number

  /** `time`: monotonic machine time, ms. */
  constructor(most: number, time: () => number = () => performance.now()) {
    this.most = most
    this.time = time
  }

  get size(): number {
    return this.windows.size
  }

  /** Adds one. Returns the count in the current window and the time until it ends, ms. */
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
