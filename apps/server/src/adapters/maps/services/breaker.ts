/** Consecutive failures that open the breaker. */
export const failuresToOpen = 4
/** Time without calls once it is open, ms. */
export const openMs = 30_000

/**
 * A circuit breaker. After repeated failures it is open: no calls. Later it is half open and lets a single call through,
 * whose outcome closes or opens it. `now` is monotonic time, ms.
 */
export class Breaker {
  private failures = 0
  private openUntil: number | null = null
  private isProbing = false

  /** `half_open` permits one call. */
  state(now: number): 'closed' | 'open' | 'half_open' {
    if (this.openUntil === null) return 'closed'
    return now < this.openUntil || this.isProbing ? 'open' : 'half_open'
  }

  /** Call before each call that `state` permits. */
  begin(): void {
    if (this.openUntil !== null) this.isProbing = true
  }

  succeed(): void {
    this.failures = 0
    this.openUntil = null
    this.isProbing = false
  }

  /** Returns true if this failure opened it. A call that began before it opened changes nothing. */
  fail(now: number): boolean {
    if (this.openUntil !== null && !this.isProbing) return false
    this.failures += 1
    if (this.openUntil === null && this.failures < failuresToOpen) return false
    this.openUntil = now + openMs
    this.isProbing = false
    return true
  }
}
