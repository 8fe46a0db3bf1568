import type { Booking } from '@hansom/domain/bookings/booking'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { endingStatuses, straightKmh } from '@hansom/domain/dispatch/board'
import { mostIdleS } from '@hansom/domain/dispatch/strategies'
import { endTripS } from '@hansom/domain/dispatch/timing'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Pool } from 'pg'
import type { Maps } from '../../../adapters/maps/port.ts'
import { type DecisionRecord, recordDecisions } from './decisions.ts'
import { arrivalOf } from './find-candidates.ts'

/** A driver whose trip ends soon at `drop`. */
export interface SoonFreeDriver {
  id: string
  car_type_id: string
  wallet_balance: number
  drop: LatLng
  /** Until the driver is free, s. */
  freeS: number
}

interface SoonFreeSearch {
  carTypes: readonly string[]
  /** Within this time; 0 finds no one. */
  minutes: number
  pickups: readonly LatLng[]
  radiusKm: number
  /** The booking whose requests and awaited driver do not count as those of others; null in a batch. */
  booking: string | null
  now: number
}

/** A booking that searches and has no active request. */
export type WaitingBooking = Pick<
  Booking,
  | 'id'
  | 'pickup'
  | 'car_type_id'
  | 'excluded_drivers'
  | 'wave'
  | 'bookingDate'
  | 'tripdate'
  | 'bookLater'
  | 'customer'
  | 'booking_type_admin'
> & { payment_mode: PaymentMode; asked: string[] }

/** What the strategies read besides the store, and where they record decisions. */
export interface DispatchFacts {
  /** Drivers whose trip ends soon near some pickups, neither asked for another trip nor awaited by another booking. */
  soonFree(search: SoonFreeSearch): Promise<SoonFreeDriver[]>
  /**
   * Keeps a driver about to finish for a booking until `until`, because others would wait for the same one; false if
   * another booking has the driver.
   */
  keep(driver: string, booking: string, until: number, now: number): Promise<boolean>
  /** Those of some drivers who have an active request for a booking other than `booking`. */
  askedForOthers(
    drivers: readonly string[],
    booking: string | null,
    now: number,
  ): Promise<ReadonlySet<string>>
  /** Since the last trip of each driver ended, s; where `fairness` is 0, it is not read. */
  idleTimes(drivers: readonly string[], fairness: number, now: number): Promise<(driver: string) => number>
  /** Bookings whose search has begun and who have no active request, the longest search first. */
  waiting(now: number, leadMinutes: number, most: number, offset: number): Promise<WaitingBooking[]>
  /** Those of some drivers who are free, with what decides whom they may serve. */
  free(drivers: readonly string[]): Promise<Map<string, { car_type_id: string; wallet_balance: number }>>
  record(decisions: readonly DecisionRecord[]): Promise<void>
}

export function dispatchFacts(pool: Pool, maps: Pick<Maps, 'driveTimePairs'>): DispatchFacts {
  return {
    soonFree: (search) => soonFreeDrivers(pool, maps, search),
    async keep(driver, booking, until, now) {
      const reply = await pool.query({
        name: 'keep-awaited-driver',
        text: `insert into awaited_drivers as kept (driver_id, booking_id, until) values ($1, $2, $3)
          on conflict (driver_id) do update set booking_id = excluded.booking_id, until = excluded.until
            where kept.booking_id = excluded.booking_id or kept.until <= $4`,
        values: [driver, booking, until, now],
      })
      return reply.rowCount === 1
    },
    askedForOthers: (...given) => askedForOthers(pool, ...given),
    idleTimes: (...given) => idleTimes(pool, ...given),
    record: (decisions) => recordDecisions(pool, decisions),
    async waiting(now, leadMinutes, most, offset) {
      const reply = await pool.query<WaitingBooking>({
        name: 'waiting-bookings',
        text: `select b.id, b.pickup, b.car_type_id, b.payment_mode, b.excluded_drivers, b.wave, b.tripdate,
            b.booking_date as "bookingDate", b.book_later as "bookLater", b.customer, b.booking_type_admin,
            array(select r.driver_id from booking_requests r where r.booking_id = b.id) as asked
          from bookings b where b.status = 'NEW' and (not b.book_later or b.tripdate - $2 <= $1)
            and not exists (select from booking_requests r
              where r.booking_id = b.id and (r.expires_at is null or r.expires_at > $1))
          order by case when b.book_later then greatest(b.booking_date, b.tripdate - $2) else b.booking_date end, b.id
          limit $3 offset $4`,
        values: [now, leadMinutes * 60_000, most, offset],
      })
      return reply.rows
    },
    async free(ids) {
      const reply = await pool.query<{ id: string; car_type_id: string; wallet_balance: number }>({
        name: 'free-drivers-of-any-type',
        text: `select id, car_type_id, wallet_balance from user_facts where id = any($1::uuid[]) and usertype = 'driver'
          and approved and driver_active_status and not queue`,
        values: [ids],
      })
      return new Map(reply.rows.map((row) => [row.id, row]))
    },
  }
}

/** The straight line is at most this many times as fast as the streets. */
const straightMargin = 2

/** Drivers near the end of a trip whose driving times are asked for each pickup: the nearest. */
const soonPerPickup = 10

/** By place before any driving time is asked, for some map services charge for each. */
async function soonFreeDrivers(
  pool: Pool,
  maps: Pick<Maps, 'driveTimePairs'>,
  { carTypes, minutes, pickups, radiusKm, booking, now }: SoonFreeSearch,
): Promise<SoonFreeDriver[]> {
  if (minutes === 0) return []
  const reply = await pool.query<Omit<SoonFreeDriver, 'freeS'> & LatLng>({
    name: 'drivers-ending-trips',
    text: `select u.id, u.lat, u.lng, u.car_type_id, u.wallet_balance, b.drop
      from bookings b join user_facts u on u.id = b.driver
      where b.status = any($2) and b.status not in ('COMPLETE', 'CANCELLED') and u.car_type_id = any($1) and u.is_on_map
        and not exists (select from awaited_drivers a
          where a.driver_id = u.id and a.booking_id is distinct from $3::uuid and a.until > $4)`,
    values: [carTypes, endingStatuses, booking, now],
  })
  const withinS = minutes * 60
  const farthestKm = (withinS / 3600) * straightKmh * straightMargin
  const soon = reply.rows.filter(({ lat, lng, drop }) => greatCircleKm({ lat, lng }, drop) <= farthestKm)
  const elsewhere = await askedForOthers(
    pool,
    soon.map(({ id }) => id),
    booking,
    now,
  )
  const left = soon.filter(({ id }) => !elsewhere.has(id))
  const near = new Set(
    pickups.flatMap((pickup) =>
      left
        .map((driver) => ({ driver, km: greatCircleKm(driver.drop, pickup) }))
        .filter(({ km }) => km <= radiusKm)
        .sort((a, b) => a.km - b.km || (a.driver.id < b.driver.id ? -1 : 1))
        .slice(0, soonPerPickup)
        .map(({ driver }) => driver),
    ),
  )
  const ending = [...near]
  const times = await maps.driveTimePairs(
    ending.map(({ lat, lng }) => ({ lat, lng })),
    ending.map(({ drop }) => ({ lat: drop.lat, lng: drop.lng })),
    ending.map((_, index) => [index, index]),
  )
  return ending.flatMap(({ lat, lng, drop, ...driver }, index) => {
    const { pickupS } = arrivalOf(times[index] ?? null, { lat, lng }, drop)
    const freeS = pickupS + endTripS
    return freeS <= withinS ? [{ ...driver, drop: { lat: drop.lat, lng: drop.lng }, freeS }] : []
  })
}

/** Those of some drivers who have an active request for a booking other than `booking`. */
async function askedForOthers(
  pool: Pool,
  drivers: readonly string[],
  booking: string | null,
  now: number,
): Promise<ReadonlySet<string>> {
  if (drivers.length === 0) return new Set()
  const reply = await pool.query<{ driver_id: string }>({
    name: 'asked-for-others',
    text: `select distinct r.driver_id from booking_requests r join bookings b on b.id = r.booking_id and b.status = 'NEW'
      where r.driver_id = any($1::uuid[]) and r.booking_id is distinct from $2::uuid
        and (r.expires_at is null or r.expires_at > $3)`,
    values: [drivers, booking, now],
  })
  return new Set(reply.rows.map((row) => row.driver_id))
}

/** A driver without a trip in this time counts as idle for all of it. */
const idleWindowMs = mostIdleS * 1000

/** Since the last trip of each driver ended, s; where `fairness` is 0, it is not read. */
async function idleTimes(
  pool: Pool,
  drivers: readonly string[],
  fairness: number,
  now: number,
): Promise<(driver: string) => number> {
  if (fairness === 0 || drivers.length === 0) return () => 0
  const reply = await pool.query<{ driver: string; ended: number }>({
    name: 'idle-drivers',
    text: `select driver, max(coalesce(closed_at, tripdate)) as ended from bookings
      where driver = any($1::uuid[]) and tripdate > $2 and status in ('PENDING', 'PAID', 'COMPLETE') group by driver`,
    values: [drivers, now - 2 * idleWindowMs],
  })
  const ended = new Map(reply.rows.map((row) => [row.driver, Number(row.ended)]))
  return (driver) => Math.min(idleWindowMs, Math.max(0, now - (ended.get(driver) ?? 0))) / 1000
}
