import type { DriverState, NearbyCar, Position, TrackingPoint } from '@hansom/contract/tracking'
import { can } from '@hansom/domain/access/permissions'
import type { Actor } from '@hansom/domain/access/relation'
import { partiesOf } from '@hansom/domain/access/visible-booking'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import { blocksOf } from '@hansom/domain/users/driver-blocks'
import type { Pool } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { setDriverOnline } from '../../users/drivers.ts'
import { userChangedEvent } from '../../users/user-changed.ts'
import { type BookingWithRequests, readBooking } from '../store/read-bookings.ts'
import { syncDriver } from './index-drivers.ts'
import { nearbyCars } from './nearby-cars.ts'
import { PositionReports, pointOf, type ReportDeps } from './report-positions.ts'
import { readHeardAt, readStartedTrips, type StartedTrip } from './started-trips.ts'

interface TrackingDeps extends ReportDeps {
  database: Pick<Database, 'withTransaction'>
  outbox: Outbox
  settings: { current(): Promise<CurrentSettings> }
}

export interface TrackingService {
  /** See PositionReports: positions of a started trip are durable when this resolves. */
  report(actor: Actor, positions: readonly Position[]): Promise<number>
  /** Throws not_found for strangers, location_fetch_error if no position is known. */
  latest(actor: Actor, booking: string): Promise<TrackingPoint>
  /** For callers that have checked permission; null if no position is known. */
  latestOf(record: BookingWithRequests): Promise<TrackingPoint | null>
  path(actor: Actor, booking: string): Promise<{ polyline: string; distanceKm: number }>
  /** See `readStartedTrips`. */
  startedTrips(now: number, after: string | null): Promise<StartedTrip[]>
  /** See `readHeardAt`. */
  heardAt(bookings: readonly string[]): Promise<Map<string, number>>
  /** Free cars around a point that can be requested, anonymous. */
  nearby(point: LatLng): Promise<NearbyCar[]>
  state(driver: string): Promise<DriverState>
  /** Sets the driver online or offline. Throws open_booking for going offline during a trip. */
  setOnline(driver: string, online: boolean): Promise<DriverState>
}

export function createTrackingService(deps: TrackingDeps): TrackingService {
  const { pool, clock, driverIndex, tracks, trips, arrivals, settings } = deps
  const reports = new PositionReports(deps)

  const find = async (actor: Actor, id: string) => {
    const record = await readBooking(pool, id, clock.now())
    if (!record || !can(actor, 'booking.path', partiesOf(record))) throw new Refusal('not_found')
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
    async report(actor, positions) {
      if (!can(actor, 'position.report')) throw new Refusal('forbidden')
      return reports.report(actor.id, positions)
    },

    async latest(actor, id) {
      const point = await latestOf(await find(actor, id))
      if (!point) throw new Refusal('location_fetch_error')
      return point
    },

    latestOf,

    async path(actor, id) {
      const { drop, trip_end_time: at } = (await find(actor, id)).booking
      return tracks.path(id, at === null ? null : { lat: drop.lat, lng: drop.lng, at })
    },

    startedTrips: (now, after) => readStartedTrips(pool, now, after),
    heardAt: (bookings) => readHeardAt(pool, bookings),

    nearby: nearbyCars(deps),

    state,

    async setOnline(driver, online) {
      await deps.database.withTransaction(async (tx) => {
        await setDriverOnline(tx, driver, online)
        await deps.outbox.write(tx, [userChangedEvent(driver)])
      })
      await syncDriver({ pool, index: driverIndex, clock }, driver)
      if (!online) reports.forget(driver)
      return state(driver)
    },
  }
}

interface StateRow {
  active: boolean
  queue: boolean
  approved: boolean
  car_type_id: string | null
  wallet_balance: number
  trips: number
  earnings: number
}

interface StateDeps {
  pool: Pool
  driverIndex: DriverIndex
  clock: Pick<Clock, 'now' | 'elapsed'>
}

/**
 * The state of a driver's console: whether requests can arrive, why not, and the day's earnings in the city's time
 * zone. These equal the amount earned on the earnings page for today: trips by tripdate, cancellation fees and bonuses,
 * less refunds. Bonuses are looked up by the people they were paid for (the driver and people they referred), which
 * avoids scanning all bonuses of the day.
 */
async function readDriverState(
  { pool, driverIndex, clock }: StateDeps,
  driver: string,
  settings: CurrentSettings,
): Promise<DriverState> {
  const now = clock.now()
  const reply = await pool.query<StateRow>({
    name: 'driver-state',
    text: `select u.driver_active_status as active, u.queue, u.approved, u.car_type_id, u.wallet_balance,
        work.trips, (work.brought + bonus.sum - refund.sum)::bigint as earnings
      from user_facts u,
        lateral (select date_trunc('day', to_timestamp($2 / 1000.0) at time zone $3) as midnight) city,
        lateral (select (extract(epoch from midnight at time zone $3) * 1000)::bigint as starts,
          (extract(epoch from (midnight + interval '1 day') at time zone $3) * 1000)::bigint as ends) day,
        lateral (select count(*) filter (where b.status <> 'CANCELLED') as trips,
            coalesce(sum(case b.status when 'CANCELLED' then b.cancellation_fee else b.driver_share end
            - coalesce((select d.open + d.waived from booking_dues d where d.booking = b.id), 0)), 0) as brought
          from bookings b where b.driver = u.id and b.tripdate >= day.starts and b.tripdate < day.ends
            and b.status in ('PAID', 'COMPLETE', 'CANCELLED')) work,
        lateral (select coalesce(sum(l.amount), 0) as sum
          from (select u.id union all select n.id from user_facts n where n.signup_via_referral = u.id) newcomer
            join ledger_records e on e.key = 'referral:' || newcomer.id
            join ledger_lines l on l.entry_id = e.id and l.user_id = u.id
          where e.at >= day.starts and e.at < day.ends) bonus,
        lateral (select coalesce(sum(r.amount), 0) as sum from refund_records r
          where r.driver = u.id and r.at >= day.starts and r.at < day.ends and r.state <> 'failed') refund
      where u.id = $1 and u.usertype = 'driver'`,
    values: [driver, now, settings.timezone],
  })
  const row = reply.rows[0]
  if (!row) throw new Refusal('not_found')
  const seen = await driverIndex.get(driver)
  const location: Position | null = seen && {
    lat: seen.lat,
    lng: seen.lng,
    at: seen.at,
    bearing: seen.bearing,
  }
  return {
    driverActiveStatus: row.active,
    queue: row.queue,
    approved: row.approved,
    location,
    blocked: blocksOf(
      {
        id: driver,
        usertype: 'driver',
        approved: row.approved,
        queue: row.queue,
        driverActiveStatus: row.active,
        location,
        // The age counts from when the server heard from the driver: clocks may have been set since.
        located_at: seen && now - (clock.elapsed() - seen.heardAt),
        carType: row.car_type_id,
        walletBalance: row.wallet_balance,
      },
      { ...settings, now },
    ),
    today: { trips: row.trips, earnings: row.earnings, cash_owed: Math.max(0, -row.wallet_balance) },
  }
}
