/** The breaker opens once this many of the last calls have failed. */
export const failuresToOpen = 4
/** The number of last calls that count. */
const lastCalls = 8
/** Time without calls once it is open, ms. */
export const openMs = 30_000

/**
 * A circuit breaker. When too many of the last calls have failed, it is open: no calls. Later it is half open and lets a
 * single call through, whose outcome closes or opens it. `now` is monotonic time, ms.
 */
export class Breaker {
  /** Whether each of the last calls failed. */
  private outcomes: boolean[] = []
  private openUntil: number | null = null
  private isProbing = false
  /** Increases when it opens and with each probe, so that late outcomes of earlier calls are recognized. */
  private period = 0

  /** `half_open` permits one call. */
  state(now: number): 'closed' | 'open' | 'half_open' {
    if (this.openUntil === null) return 'closed'
    return now < this.openUntil || this.isProbing ? 'open' : 'half_open'
  }

  /** Call before each call that `state` permits; `succeed` or `fail` needs the returned value. */
  begin(): number {
    if (this.openUntil === null) return this.period
    this.isProbing = true
    this.period += 1
    return this.period
  }

  /** A call that began before it opened changes nothing. */
  succeed(period: number): void {
    if (period !== this.period) return
    if (this.openUntil === null) this.add(false)
    else this.close()
  }

  /** Returns true if this failure opened it. A call that began before it opened changes nothing. */
  fail(period: number, now: number): boolean {
    if (period !== this.period) return false
    if (this.openUntil === null) {
      this.add(true)
      if (this.outcomes.filter((hasFailed) => hasFailed).length < failuresToOpen) return false
    }
    this.openUntil = now + openMs
    this.isProbing = false
    this.period += 1
    return true
  }

  private add(hasFailed: boolean): void {
    this.outcomes = [...this.outcomes, hasFailed].slice(-lastCalls)
  }

  private close(): void {
    this.outcomes = []
    this.openUntil = null
    this.isProbing = false
  }
}
