/** What is counted in common with other servers; see the port `shared-counts`. */
export interface CommonCounts {
  add(key: string, windowMs: number, parts: number): Promise<{ count: number; leftMs: number } | null>
}

export interface Count {
  /** In the current window, with this one. */
  count: number
  /** Time until the window ends, ms. */
  leftMs: number
}

/** Counts per key in fixed windows. The caller allows what is counted up to `limit`. */
export interface WindowCounts {
  add(key: string, windowMs: number, limit: number): Promise<Count>
}

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
  add(key: string, windowMs: number): Count {
    const now = this.time()
    const known = this.windows.get(key)
    if (known !== undefined && now - known.startedAt < windowMs) {
      known.count++
      return { count: known.count, leftMs: windowMs - (now - known.startedAt) }
    }
    this.windows.delete(key)
    this.windows.set(key, { count: 1, startedAt: now })
    dropOldest(this.windows, this.most)
    return { count: 1, leftMs: windowMs }
  }
}

/** The numbers of a window that this server reserved and has not given out, up to `count`. */
interface Reserved {
  count: number
  free: number
  until: number
  asking: Promise<boolean> | null
}

/** A hundredth of a limit is reserved at once: small limits are counted one by one. */
const reservedShare = 100

/**
 * Counts together with other servers. Each reserves numbers of a window and gives them out, so no number is given out twice
 * and a limit holds for all servers together. Without the others, a server's own count decides.
 */
export function countTogether(
  kind: string,
  most: number,
  common: CommonCounts | undefined,
  time: () => number = () => performance.now(),
): WindowCounts {
  const own = new WindowCounter(most, time)
  const reserved = new Map<string, Reserved>()

  async function reserve(one: Reserved, key: string, windowMs: number, limit: number): Promise<boolean> {
    const parts = Math.max(1, Math.floor(limit / reservedShare))
    const answer = await common?.add(`${kind} ${key}`, windowMs, parts).catch(() => null)
    one.asking = null
    if (!answer) return false
    one.count = answer.count
    one.free = parts
    one.until = time() + answer.leftMs
    return true
  }

  return {
    async add(key, windowMs, limit) {
      const here = own.add(key, windowMs)
      if (common === undefined) return here
      for (;;) {
        let one = reserved.get(key)
        if (one === undefined || (one.asking === null && one.until <= time())) {
          one = { count: 0, free: 0, until: Number.NEGATIVE_INFINITY, asking: null }
          reserved.delete(key)
          reserved.set(key, one)
          dropOldest(reserved, most)
        }
        const leftMs = one.until - time()
        if (one.free > 0 && leftMs > 0) {
          one.free--
          return { count: one.count - one.free, leftMs }
        }
        // All are given out; asking again would tell nothing new.
        if (one.count >= limit && leftMs > 0) return { count: one.count + 1, leftMs }
        one.asking ??= reserve(one, key, windowMs, limit)
        if (!(await one.asking)) return here
      }
    },
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
