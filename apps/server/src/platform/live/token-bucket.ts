/** A token bucket: a steady rate per second with a burst. Times are machine time, ms. */
export class TokenBucket {
  private readonly perSecond: number
  private readonly burst: number
  private left: number
  private at: number

  constructor(perSecond: number, burst: number, now: number) {
    this.perSecond = perSecond
    this.burst = burst
    this.left = burst
    this.at = now
  }

  /** Takes one token; returns false when none is left. */
  take(now: number): boolean {
    this.left = Math.min(this.burst, this.left + ((now - this.at) * this.perSecond) / 1000)
    this.at = now
    if (this.left < 1) return false
    this.left--
    return true
  }
}
