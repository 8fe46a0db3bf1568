import type { BookingEvent, OutstandingView } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { contestedOf, outstandingOf, unpaidOf } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import type { RiderFacts } from '@hansom/domain/bookings/facts'
import { mayCollect } from '@hansom/domain/users/eligibility'
import { averageRating } from '@hansom/domain/users/profile'
import type { Pool, PoolClient } from 'pg'
import { rowJson } from '../../../platform/database/columns.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import {
  type BookingRow,
  bookingEventsTable,
  bookingRequestsTable,
  bookingsTable,
  trackingTable,
} from '../table.ts'

/** A row is a booking: same names, same units. */
export const bookingJson = rowJson<Booking & BookingRow>(bookingsTable)
export const eventJson = rowJson<typeof bookingEventsTable.$inferSelect>(bookingEventsTable)
export const requestJson = rowJson<RequestRow>(bookingRequestsTable)
export const trackingJson = rowJson<typeof trackingTable.$inferInsert>(trackingTable)

/** A request to a driver. */
export type RequestRow = typeof bookingRequestsTable.$inferSelect

/** The requests active at `now`: they expire on time even if no job has run since. */
export function activeRequests(requests: readonly RequestRow[], now: number): RequestRow[] {
  return requests.filter((request) => request.expires_at === null || request.expires_at > now)
}

/** The result of `riderOwes`. */
export interface RiderOwes {
  balance: number
  trips: object[]
}

/** SQL for the facts that debt rules need about the row `c` of user_facts. Selects only what the partial indexes cover. */
export const riderOwes = `jsonb_build_object('balance', c.wallet_balance,
  'trips', (select coalesce(jsonb_agg(to_jsonb(p) order by p.closed_at, p.id), '[]') from (
    select * from bookings where customer = c.id and status = 'PENDING'
    union all select * from bookings where customer = c.id and objection = 'open' and status <> 'PENDING') p))`

export function readRiderOwes({ balance, trips }: RiderOwes): RiderFacts {
  return { walletBalance: balance, trips: trips.map((one): Booking => bookingJson.read(one)) }
}

/** A rider's trips that wait for payment, oldest first, without contested ones. */
export async function readUnpaid(pool: Pool, rider: string): Promise<string[]> {
  const { rows } = await pool.query<{ owes: RiderOwes }>(
    `select ${riderOwes} as owes from user_facts c where c.id = $1`,
    [rider],
  )
  return rows.flatMap(({ owes }) => unpaidOf(readRiderOwes(owes)).map(({ id }) => id))
}

/** A booking with its related data, sufficient for every view of it. */
export interface BookingWithRequests {
  booking: Booking
  /** The drivers with an active request. */
  requests: readonly RequestRow[]
  /** The rider's outstanding amount apart from this booking. */
  outstanding: number
  /** The rider's average rating, or null if not rated. */
  riderRating: number | null
}

interface RecordRow {
  booking: object
  requests: object[]
  owes: RiderOwes
  rating_sum: number
  rating_count: number
}

const recordColumns = `to_jsonb(b) as booking, ${riderOwes} as owes, c.rating_sum, c.rating_count,
  (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests`
const recordTables = 'bookings b join user_facts c on c.id = b.customer'

function toRecord(row: RecordRow, now: number): BookingWithRequests {
  const booking = bookingJson.read(row.booking)
  return {
    booking,
    requests: activeRequests(
      row.requests.map((request) => requestJson.read(request)),
      now,
    ),
    outstanding: outstandingOf(readRiderOwes(row.owes), booking),
    riderRating: row.rating_count === 0 ? null : averageRating(row.rating_sum, row.rating_count),
  }
}

/** One booking with its requests active at `now`, or null. */
export async function readBooking(
  pool: Pool | PoolClient,
  id: string,
  now: number,
): Promise<BookingWithRequests | null> {
  const reply = await pool.query<RecordRow>({
    name: 'read-booking',
    text: `select ${recordColumns} from ${recordTables} where b.id = $1`,
    values: [id],
  })
  return reply.rows[0] ? toRecord(reply.rows[0], now) : null
}

/** Bookings by their IDs, like `readBooking`; unknown IDs are left out. */
export async function readBookings(
  pool: Pool | PoolClient,
  ids: readonly string[],
  now: number,
): Promise<Map<string, BookingWithRequests>> {
  const reply = await pool.query<RecordRow>({
    name: 'read-bookings',
    text: `select ${recordColumns} from ${recordTables} where b.id = any($1::uuid[])`,
    values: [[...new Set(ids)]],
  })
  const found = reply.rows.map((row) => toRecord(row, now))
  return new Map(found.map((record) => [record.booking.id, record]))
}

/** The bookings for which a driver has an active request, oldest request first. */
export async function readRequested(pool: Pool, driver: string, now: number): Promise<BookingWithRequests[]> {
  const reply = await pool.query<RecordRow>({
    name: 'read-requested',
    text: `select ${recordColumns} from booking_requests mine join ${recordTables} on b.id = mine.booking_id
      where mine.driver_id = $1 and b.status = 'NEW' and (mine.expires_at is null or mine.expires_at > $2)
      order by mine.requested_at, b.id`,
    values: [driver, now],
  })
  return reply.rows.map((row) => toRecord(row, now))
}

/** See `BookingsService.haveShared`. */
export async function haveShared(pool: Pool, person: string, other: string, since: number): Promise<boolean> {
  const recent = `(status not in ('PAID', 'COMPLETE', 'CANCELLED')
    or coalesce(closed_at, trip_end_time, accepted_at, booking_date) > $3)`
  const reply = await pool.query<{ shared: boolean }>(
    `select exists (select from bookings where driver = $1 and (customer = $2 or fleetadmin = $2) and ${recent})
      or exists (select from bookings where customer = $1 and (driver = $2 or fleetadmin = $2) and ${recent}) as shared`,
    [person, other, since],
  )
  return reply.rows[0]?.shared ?? false
}

/** Maximum number of notifications for one change of a booking. */
const maxNotifications = 8

/** The history of a booking, oldest first, with the notifications sent for each change. */
export async function readEvents(pool: Pool, id: string): Promise<BookingEvent[]> {
  const reply = await pool.query<BookingEvent>(
    `select e.at, e.actor, nullif(trim(u.name), '') as name, e.command,
        e.from_status as "from", e.to_status as "to", e.reason,
        (select coalesce(json_agg(json_build_object('name', n.name, 'title', n.title, 'params', n.params)
            order by n.dedupe), '[]'::json)
          from booking_notifications n
          where n.booking = e.booking_id and n.dedupe = any (select concat(e.booking_id, ':', e.version, ':', place)
            from generate_series(0, ${maxNotifications - 1}) place)) as sent
      from booking_events e left join user_names u on u.id = e.by_user where e.booking_id = $1 order by e.version`,
    [id],
  )
  return reply.rows
}

interface OwesRow {
  owes: RiderOwes
  fees: OutstandingView['fees']
}

/** A person's outstanding amount and its parts. */
export async function readOutstanding(
  pool: Pool,
  { id, role }: Actor,
  settings: CurrentSettings,
): Promise<OutstandingView> {
  const { rows } = await pool.query<OwesRow>(
    `select ${riderOwes} as owes,
        (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'booking_id', b.booking_id, 'at', d.at,
            'amount', d.open, 'kind', case b.status when 'CANCELLED' then 'fee' else 'trip' end)
            order by d.at, d.booking), '[]')
          from booking_dues d join bookings b on b.id = d.booking where d.rider = c.id and d.open > 0) as fees
      from user_facts c where c.id = $1`,
    [id],
  )
  const { owes, fees } = rows[0] ?? { owes: { balance: 0, trips: [] }, fees: [] }
  const rider = readRiderOwes(owes)
  const { walletBalance } = rider
  const isDriver = role === 'driver'
  return {
    total: outstandingOf(rider),
    below: Math.max(0, -walletBalance),
    contested: contestedOf(rider),
    trips: rider.trips
      .filter(({ status }) => status === 'PENDING')
      .map((trip) => ({
        id: trip.id,
        booking_id: trip.booking_id,
        at: trip.tripdate,
        amount: trip.payableAmount,
        contested: trip.objection === 'open',
      })),
    fees,
    limit:
      isDriver && settings.negativeBalance && settings.driverDebtLimit > 0 ? settings.driverDebtLimit : null,
    cash_blocked: isDriver && !mayCollect(walletBalance, { ...settings, payment_mode: 'cash' }),
  }
}
