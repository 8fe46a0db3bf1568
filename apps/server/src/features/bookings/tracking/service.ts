import type { DriverState, NearbyCar, Position, TrackingPoint } from '@hansom/contract/tracking'
import { can } from '@hansom/domain/access/permissions'
import type { Person } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Database } from '../../../platform/database/database.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { userChangedEvent } from '../../users/user-changed.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { readBooking } from '../store/read-bookings.ts'
import { peopleOf, type BookingWithRequests } from '../view.ts'
import { readDriverState } from './driver-state.ts'
import { syncDriver } from './index-drivers.ts'
import { nearbyCars } from './nearby-cars.ts'
import { PositionReports, pointOf, type ReportDeps } from './report-positions.ts'

export interface TrackingDeps extends ReportDeps {
  database: Pick<Database, 'withTransaction'>
  outbox: Outbox
  settings: { current(): Promise<CurrentSettings> }
}

export interface TrackingService {
  /** See PositionReports: positions of a started trip are durable when this resolves. */
  report(person: Person, positions: readonly Position[]): Promise<number>
  /** Throws not_found for strangers, location_fetch_error if no position is known. */
  latest(person: Person, booking: string): Promise<TrackingPoint>
  /** For callers that have checked permission; null if no position is known. */
  latestOf(record: BookingWithRequests): Promise<TrackingPoint | null>
  path(person: Person, booking: string): Promise<{ polyline: string; distanceKm: number }>
  /** Free cars around a point that can be requested, anonymous. */
  nearby(point: LatLng): Promise<NearbyCar[]>
  state(driver: string): Promise<DriverState>
  /** Sets the driver online or offline. Throws open_booking for going offline during a trip. */
  setOnline(driver: string, online: boolean): Promise<DriverState>
}

export function createTrackingService(deps: TrackingDeps): TrackingService {
  const { pool, clock, driverIndex, tracks, trips, arrivals, settings } = deps
  const reports = new PositionReports(deps)

  const find = async (person: Person, id: string) => {
    const record = await readBooking(pool, id, clock.now())
    if (!record || !can(person, 'booking.path', peopleOf(record))) throw new Refusal('not_found')
    return record
  }

  const state = async (driver: string) =>
    readDriverState({ pool, driverIndex, clock }, driver, await settings.current())

  const latestOf = async ({ booking }: BookingWithRequests): Promise<TrackingPoint | null> => {
    const trip = booking.driver === null ? null : trips.of(booking.driver)
    const live =
      trip?.booking === booking.id && trip.status !== 'REACHED' ? await driverIndex.get(trip.driver) : null
    if (trip && live) {
      const position = { lat: live.lat, lng: live.lng, at: live.at, bearing: live.bearing }
      return pointOf(trip, position, await arrivals.secondsLeft(trip, position, clock.elapsed()))
    }
    const stored = await tracks.latest(booking.id)
    return stored && pointOf({ status: booking.status }, stored, null)
  }

  return {
    async report(person, positions) {
      if (!can(person, 'position.report')) throw new Refusal('forbidden')
      return reports.report(person.id, positions)
    },

    async latest(person, id) {
      const point = await latestOf(await find(person, id))
      if (!point) throw new Refusal('location_fetch_error')
      return point
    },

    latestOf,

    async path(person, id) {
      const { drop, trip_end_time: at } = (await find(person, id)).booking
      return tracks.path(id, at === null ? null : { lat: drop.lat, lng: drop.lng, at })
    },

    nearby: nearbyCars(deps),

    state,

    async setOnline(driver, online) {
      await deps.database.withTransaction(async (tx) => {
        const reply = await tx.client.query<{ queue: boolean; approved: boolean }>(
          `select queue, approved from users where id = $1 and usertype = 'driver' for no key update`,
          [driver],
        )
        const row = reply.rows[0]
        if (!row) throw new Refusal('not_found')
        if (online && !row.approved) throw new Refusal('require_approval')
        if (!online && row.queue) throw new Refusal('open_booking')
        await tx.client.query(
          'update users set driver_active_status = $2, version = version + 1 where id = $1 and driver_active_status <> $2',
          [driver, online],
        )
        await deps.outbox.write(tx, [userChangedEvent(driver)])
      })
      await syncDriver({ pool, index: driverIndex, clock }, driver)
      if (!online) reports.forget(driver)
      return state(driver)
    },
  }
}
