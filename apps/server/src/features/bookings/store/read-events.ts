import type { BookingEvent } from '@hansom/contract/bookings'
import { drivingStatuses } from '@hansom/domain/bookings/status'
import type { Pool, PoolClient } from 'pg'

/** Maximum number of notifications for one change of a booking. */
const maxNotifications = 8

/** The history of a booking, oldest first, with the notifications sent for each change. */
export async function readEvents(pool: Pool, id: string): Promise<BookingEvent[]> {
  const reply = await pool.query<BookingEvent>(
    `select e.at, e.actor, nullif(trim(u.name), '') as name, e.command,
        e.from_status as "from", e.to_status as "to", e.reason, e.changes,
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

/** See `BookingsService.haveShared`. */
export async function haveShared(pool: Pool, user: string, other: string, since: number): Promise<boolean> {
  const recent = `(status not in ('PAID', 'COMPLETE', 'CANCELLED')
    or coalesce(closed_at, trip_end_time, accepted_at, booking_date) > $3)`
  const reply = await pool.query<{ shared: boolean }>(
    `select exists (select from bookings where driver = $1 and (customer = $2 or fleetadmin = $2) and ${recent})
      or exists (select from bookings where customer = $1 and (driver = $2 or fleetadmin = $2) and ${recent}) as shared`,
    [user, other, since],
  )
  return reply.rows[0]?.shared ?? false
}

/** See `BookingsService.leftDriver`. Assigned drivers accept, too. */
export async function readLeftDriver(
  queries: Pool | PoolClient,
  booking: string,
  since: number,
): Promise<{ driver: string; at: number } | null> {
  const reply = await queries.query<{ driver: string; at: number }>({
    name: 'left-driver',
    text: `select a.by_user as driver, e.at from booking_events e
        join lateral (select by_user from booking_events where booking_id = e.booking_id and command = 'accept'
          and version < e.version order by version desc limit 1) a on true
      where e.booking_id = $1 and e.at >= $2 and e.to_status = 'NEW' and e.from_status = any($3)
      order by e.version desc limit 1`,
    values: [booking, since, drivingStatuses],
  })
  return reply.rows[0] ?? null
}

/** See `BookingsService.leavings`. */
export async function readLeavings(
  pool: Pool,
  bookings: readonly string[],
): Promise<{ booking: string; driver: string; at: number }[]> {
  const { rows } = await pool.query<{ booking: string; driver: string; at: number }>(
    `select e.booking_id as booking, a.by_user as driver, max(e.at) as at from booking_events e
        join lateral (select by_user from booking_events where booking_id = e.booking_id and command = 'accept'
          and version < e.version order by version desc limit 1) a on true
      where e.booking_id = any($1::uuid[]) and e.to_status = 'NEW' and e.from_status = any($2)
      group by e.booking_id, a.by_user`,
    [bookings, drivingStatuses],
  )
  return rows
}

/** True if a driver was ever asked for a booking, even if no request is left. */
export async function wasOffered(pool: Pool, booking: string, driver: string): Promise<boolean> {
  const reply = await pool.query({
    name: 'driver-was-told',
    text: 'select from booking_notifications where user_id = $1 and booking = $2 limit 1',
    values: [driver, booking],
  })
  return reply.rowCount === 1
}
