import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Maps } from '../../../adapters/maps/port.ts'
import type { Log } from '../../../platform/log/log.ts'
import { ownDriveTimes } from '../own-drive-times.ts'
import type { ActiveTrip } from './active-trips.ts'

interface Estimate {
  leg: string
  /** When, on the scale of `Clock.elapsed`, and from where the route was calculated. */
  at: number
  km: number
  /** Null: the map had no answer. */
  seconds: number | null
  isRouting: boolean
}

const refreshMs = 10_000

/**
 * The remaining driving time of a trip, cheap enough for every position: routed every ten seconds, in between scaled by
 * the straight-line distance.
 */
export class ArrivalEstimates {
  private readonly estimates = new Map<string, Estimate>()
  private readonly maps: Pick<Maps, 'driveTimes' | 'driveTimeTable'>
  private readonly log: Log

  constructor(maps: Pick<Maps, 'driveTimes' | 'driveTimeTable'>, log: Log) {
    this.maps = maps
    this.log = log
  }

  /** The number of drivers with an estimate. */
  get size(): number {
    return this.estimates.size
  }

  /**
   * Seconds to the pickup or, once started, to the drop; null at the pickup, without a route, and when the map fails.
   * Never throws: a position is worth showing without it. `now` is on the scale of `Clock.elapsed`.
   */
  async secondsLeft(trip: ActiveTrip, from: LatLng, now: number): Promise<number | null> {
    const target = targetOf(trip)
    if (!target) return null
    // A changed pickup or drop is another leg.
    const leg = `${trip.booking}:${trip.status}:${target.lat},${target.lng}`
    let estimate = this.estimates.get(trip.driver)
    if (estimate?.leg !== leg) {
      estimate = { leg, at: now, km: 0, seconds: null, isRouting: false }
      this.estimates.set(trip.driver, estimate)
      await this.refresh(estimate, from, target, now)
    } else if (now - estimate.at > refreshMs && !estimate.isRouting)
      void this.refresh(estimate, from, target, now)
    const { seconds, km } = estimate
    if (seconds === null) return null
    const left = greatCircleKm(from, target)
    return Math.round(km > 0.05 ? seconds * Math.min(1.5, left / km) : seconds)
  }

  /** Removes a driver's estimate after the trip has ended. */
  forget(driver: string): void {
    this.estimates.delete(driver)
  }

  /** Keeps the old time, or none, if routing fails, and retries after the usual interval. */
  private async refresh(estimate: Estimate, from: LatLng, target: LatLng, now: number): Promise<void> {
    estimate.isRouting = true
    const seconds = await this.route(estimate.leg, from, target)
    estimate.isRouting = false
    estimate.at = now
    if (seconds === null) return
    estimate.km = greatCircleKm(from, target)
    estimate.seconds = seconds
  }

  /** Seconds; null without a route and when the map fails. */
  private async route(leg: string, from: LatLng, target: LatLng): Promise<number | null> {
    try {
      const [time] = await ownDriveTimes(this.maps, [from], target)
      return time?.durationS ?? null
    } catch (error) {
      this.log.warn({ err: error, leg }, 'no driving time from the map')
      return null
    }
  }
}

function targetOf(trip: ActiveTrip): LatLng | null {
  const { pickup, drop, status } = trip
  if (status === 'ACCEPTED') return { lat: pickup.lat, lng: pickup.lng }
  return status === 'STARTED' ? { lat: drop.lat, lng: drop.lng } : null
}
