/** Additional fields of a logged report of a lost database. */
export interface OutageReport {
  /** Reports with the same message suppressed since the last logged one. */
  left_out?: number
}

/** Summary of an outage. */
export interface OutageSummary {
  failures: number
  seconds: number
}

interface Source {
  loggedAt: number
  pauseMs: number
  suppressed: number
}

const firstPauseMs = 10_000
const longestPauseMs = 600_000
/** A shorter pause between failures counts as the same outage. */
const sameOutageMs = 60_000
/** The outage is over when nothing failed for this time after a connection was made. */
const quietMs = 3_000

/**
 * Limits log output while the database is unavailable: for each message the first report, then one at growing
 * intervals, and a summary at the end. Otherwise some hundred callers could report at each poll.
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

  /** Counts a report. Returns null when it is to be suppressed. */
  failed(message: string): OutageReport | null {
    const now = this.now()
    clearTimeout(this.timer)
    if (now - this.lastAt > sameOutageMs) this.sources.clear()
    if (this.failures === 0) this.since = now
    this.failures += 1
    this.lastAt = now
    const source = this.sources.get(message)
    if (source === undefined) {
      this.sources.set(message, { loggedAt: now, pauseMs: firstPauseMs, suppressed: 0 })
      return {}
    }
    if (now - source.loggedAt < source.pauseMs) {
      source.suppressed += 1
      return null
    }
    const report = { left_out: source.suppressed }
    source.loggedAt = now
    source.pauseMs = Math.min(longestPauseMs, source.pauseMs * 2)
    source.suppressed = 0
    return report
  }

  /** Call when a connection was made; `report` gets the summary once the connection has lasted. */
  connected(report: (summary: OutageSummary) => void): void {
    if (this.failures === 0) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const seconds = Math.round((this.lastAt - this.since) / 1000)
      report({ failures: this.failures, seconds })
      this.failures = 0
    }, quietMs)
    this.timer.unref()
  }
}
