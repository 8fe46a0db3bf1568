/** The server's clock, calculated from the last time it sent. Until then it is the device's clock. */
export class ServerClock {
  /** Seconds on the server's clock per real second; above 1 only on a demo with accelerated time. */
  speed = 1
  #serverAt = Date.now()
  #receivedAt = performance.now()

  /** Sets the clock. `now`: server time in epoch ms, received at `at` on the scale of `performance.now()`. */
  set(now: number, speed: number, at = performance.now()): void {
    this.#serverAt = now
    this.#receivedAt = at
    this.speed = speed
  }

  /** The server's time in integer epoch ms. */
  now(): number {
    return Math.round(this.#serverAt + (performance.now() - this.#receivedAt) * this.speed)
  }
}
