/** What the log does with a report of a lost database. */
export interface OutageReport {
  /** Reports under the same message that were left out since the last one that was kept. */
  left_out?: number
}

/** The end of an outage, in figures. */
export interface OutageSummary {
  failures: number
  seconds: number
}

interface Source {
  keptAt: number
  pauseMs: number
  leftOut: number
}

const firstPauseMs = 10_000
const longestPauseMs = 600_000
/** An outage that pauses for less than this is the same one. */
const sameOutageMs = 60_000
/** The database counts as back when nothing has failed for this time after a connection was made. */
const quietMs = 3_000

/**
 * Bounds what the log says while the database is away: of every message the first report, then one at growing intervals,
 * and a summary when it is back. Some hundred places may report at each poll.
 */
export class Outages {
  private readonly sources = new Map<string, Source>()
  private readonly now: () => number
  private failures = 0
  private since = 0
  private lastAt = Number.NEGATIVE_INFINITY
  private timer: NodeJS.Timeout | undefined

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Counts a report. Null: it is left out of the log. */
  failed(message: string): OutageReport | null {
    const now = this.now()
    clearTimeout(this.timer)
    if (now - this.lastAt > sameOutageMs) this.sources.clear()
    if (this.failures === 0) this.since = now
    this.failures += 1
    this.lastAt = now
    const source = this.sources.get(message)
    if (source === undefined) {
      this.sources.set(message, { keptAt: now, pauseMs: firstPauseMs, leftOut: 0 })
      return {}
    }
    if (now - source.keptAt < source.pauseMs) {
      source.leftOut += 1
      return null
    }
    const report = { left_out: source.leftOut }
    source.keptAt = now
    source.pauseMs = Math.min(longestPauseMs, source.pauseMs * 2)
    source.leftOut = 0
    return report
  }

  /** A connection was made; `tell` hears the summary once it has lasted. */
  connected(tell: (summary: OutageSummary) => void): void {
    if (this.failures === 0) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const seconds = Math.round((this.lastAt - this.since) / 1000)
      tell({ failures: this.failures, seconds })
      this.failures = 0
    }, quietMs)
    this.timer.unref()
  }
}
