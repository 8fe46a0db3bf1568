import type { BookingEvent } from '@hansom/contract/bookings'
import { averageRating } from '@hansom/domain/users/rating'
import type { Pool, PoolClient } from 'pg'
import { outstandingOf } from '@hansom/domain/bookings/outstanding'
import type { BookingWithRequests } from '../view.ts'
import { type RiderOwes, readRiderOwes, riderOwes } from './rider-owes.ts'
import { bookingJson, requestJson, activeRequests } from './rows.ts'

interface RecordRow {
  booking: object
  requests: object[]
  owes: RiderOwes
  rating_sum: number
  rating_count: number
}

const recordColumns = `to_jsonb(b) as booking, ${riderOwes} as owes, c.rating_sum, c.rating_count,
  (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests`
const recordTables = 'bookings b join users c on c.id = b.customer'

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

/** Maximum number of notifications for one change of a booking. */
const maxNotifications = 8

/** The history of a booking, oldest first, with the notifications sent for each change. */
export async function readEvents(pool: Pool, id: string): Promise<BookingEvent[]> {
  const reply = await pool.query<BookingEvent>(
    `select e.at, e.actor, nullif(trim(concat(u.first_name, ' ', u.last_name)), '') as name, e.command,
        e.from_status as "from", e.to_status as "to", e.reason,
        (select coalesce(json_agg(json_build_object(
              'name', trim(concat(told.first_name, ' ', told.last_name)), 'title', n.title, 'params', n.params
            ) order by n.dedupe), '[]'::json)
          from user_notifications n join users told on told.id = n.user_id
          where n.booking_id = e.booking_id and n.dedupe = any (select concat(e.booking_id, ':', e.version, ':', place)
            from generate_series(0, ${maxNotifications - 1}) place)) as sent
      from booking_events e left join users u on u.id = e.by_user where e.booking_id = $1 order by e.version`,
    [id],
  )
  return reply.rows
}
