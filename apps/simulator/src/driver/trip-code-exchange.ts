/**
 * Passes trip codes from simulated riders to their drivers. A real rider says the code aloud; the API never gives it to
 * the driver.
 */
export class TripCodeExchange {
  private readonly codes = new Map<string, string>()

  share(bookingId: string, otp: string): void {
    this.codes.set(bookingId, otp)
  }

  codeOf(bookingId: string): string | undefined {
    return this.codes.get(bookingId)
  }

  forget(bookingId: string): void {
    this.codes.delete(bookingId)
  }
}
