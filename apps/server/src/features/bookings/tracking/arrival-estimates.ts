import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Maps } from '../../../adapters/maps/port.ts'
import type { ActiveTrip } from './active-trips.ts'

interface Estimate {
  leg: string
  /** When and from where it was routed. */
  at: number
  km: number
  seconds: number
  isRouting: boolean
}

const refreshMs = 10_000

/**
 * The driving time left on a trip, cheap enough for every position: routed anew every ten seconds, in between scaled
 * by how much nearer the car is as the crow flies.
 */
export class ArrivalEstimates {
  private readonly estimates = new Map<string, Estimate>()
  private readonly maps: Pick<Maps, 'driveTimes'>

  constructor(maps: Pick<Maps, 'driveTimes'>) {
    this.maps = maps
  }

  /** Seconds to the pickup, or once started to the drop; null at the pickup and where no way is known. */
  async secondsLeft(trip: ActiveTrip, from: LatLng, now: number): Promise<number | null> {
    const target = targetOf(trip)
    if (!target) return null
    const leg = `${trip.booking}:${trip.status}`
    const known = this.estimates.get(trip.driver)
    if (known?.leg !== leg) return this.route(trip, leg, from, target, now)
    if (now - known.at > refreshMs && !known.isRouting) {
      known.isRouting = true
      void this.route(trip, leg, from, target, now)
    }
    const left = greatCircleKm(from, target)
    return known.km > 0.05
      ? Math.round(known.seconds * Math.min(1.5, left / known.km))
      : Math.round(known.seconds)
  }

  forget(driver: string): void {
    this.estimates.delete(driver)
  }

  private async route(
    trip: ActiveTrip,
    leg: string,
    from: LatLng,
    target: LatLng,
    now: number,
  ): Promise<number | null> {
    const [time] = await this.maps.driveTimes([{ lat: from.lat, lng: from.lng }], target)
    if (!time) return null
    const km = greatCircleKm(from, target)
    this.estimates.set(trip.driver, { leg, at: now, km, seconds: time.durationS, isRouting: false })
    return Math.round(time.durationS)
  }
}

function targetOf(trip: ActiveTrip): LatLng | null {
  const { pickup, drop, status } = trip
  if (status === 'ACCEPTED') return { lat: pickup.lat, lng: pickup.lng }
  return status === 'STARTED' ? { lat: drop.lat, lng: drop.lng } : null
}
