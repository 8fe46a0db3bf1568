/**
 * Passes trip codes from simulated riders to their drivers, and the codes of a delivery's recipients to the courier. Real
 * people say the code aloud; the API never gives it to the driver.
 */
export class TripCodeExchange {
  private readonly codes = new Map<string, string>()

  /** `stop` is the number of a delivery's stop; 0 is the trip's own code. */
  share(bookingId: string, code: string, stop = 0): void {
    this.codes.set(`${bookingId}:${stop}`, code)
  }

  codeOf(bookingId: string, stop = 0): string | undefined {
    return this.codes.get(`${bookingId}:${stop}`)
  }

  forget(bookingId: string): void {
    for (const key of this.codes.keys()) if (key.startsWith(`${bookingId}:`)) this.codes.delete(key)
  }
}
