import type { BookingView } from '@hansom/contract/bookings'

type Asked = Pick<BookingView, 'id' | 'request'>

/** Which simulated drivers each request asks, to tell whether it asks a person too. */
export class AskedDrivers {
  /** By booking and the time at which its drivers were asked together. */
  private readonly waves = new Map<string, { expires_at: number; drivers: Set<string> }>()

  /** An assignment never expires and is not counted. */
  note(driver: string, { id, request }: Asked): void {
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
   * True unless every driver who was asked when `request` was sent is one of ours. One of ours that has not heard of it yet
   * counts as a person.
   */
  isPersonAsked({ id, request }: Asked): boolean {
    if (request === null) return false
    const wave = this.waves.get(`${id} ${request.requested_at}`)
    return (wave?.drivers.size ?? 0) < request.asked
  }
}
