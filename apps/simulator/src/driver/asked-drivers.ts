import type { BookingView } from '@hansom/contract/bookings'

type Asked = Pick<BookingView, 'id' | 'request'>

/** Tracks which simulated drivers each request asks, to detect whether it also asks a real driver. */
export class AskedDrivers {
  /** Waves by booking and request time. */
  private readonly waves = new Map<string, { expires_at: number; drivers: Set<string> }>()

  /** Records that a request asked a driver. Assignments never expire and are not counted. */
  record(driver: string, { id, request }: Asked): void {
    if (request === null || request.expires_at === null) return
    const { requested_at, expires_at } = request
    for (const [key, wave] of this.waves) {
      if (wave.expires_at <= requested_at) this.waves.delete(key)
    }
    const key = `${id} ${requested_at}`
    const wave = this.waves.get(key) ?? { expires_at, drivers: new Set() }
    wave.drivers.add(driver)
    this.waves.set(key, wave)
  }

  /**
   * True unless all drivers asked in the wave of `request` are simulated. A simulated driver that has not received it
   * yet counts as real.
   */
  isPersonAsked({ id, request }: Asked): boolean {
    if (request === null) return false
    const wave = this.waves.get(`${id} ${request.requested_at}`)
    return (wave?.drivers.size ?? 0) < request.asked
  }
}
