import type { BookingEvent, OutstandingView } from '@hansom/contract/bookings'
import { bookingsTableSpec as spec } from '@hansom/contract/bookings-table'
import type { TableCount } from '@hansom/contract/tables'
import type { Actor } from '@hansom/domain/access/relation'
import { contestedOf, outstandingOf, unpaidOf } from '@hansom/domain/bookings/amounts'
import { type BookingStatus, bookingStatuses, endedStatuses } from '@hansom/domain/bookings/status'
import { mayCollect } from '@hansom/domain/users/eligibility'
import { type SQL, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Database } from '../../../platform/database/database.ts'
import {
  type PagePart,
  type Position,
  readAll,
  readCount,
  readPage,
} from '../../../platform/tables/read-table.ts'
import type { Table, TableQuery, TableScope } from '../../../platform/tables/table.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import {
  type BookingWithRequests,
  type RiderOwes,
  readBookings,
  readRiderOwes,
  riderOwes,
} from './read-bookings.ts'

type Databases = Pick<Database, 'pool' | 'db'>

/** The current time, epoch ms, the city's time zone, and whether contacts are hidden. */
export interface TimeContext {
  now: number
  timezone: string
  hidesContacts: boolean
}

/** A page of the person's bookings; for an admin, of all bookings. */
export async function listBookings(
  database: Databases,
  person: Actor,
  query: TableQuery,
  context: TimeContext,
): Promise<{ items: BookingWithRequests[]; next: string | null }> {
  const scope = scopeOf(person, context)
  const { rows, next } = await readPage(tableFor(person, context), query, scope, (part) =>
    readIds(database, part),
  )
  return { items: await readRecords(database, rows, context.now), next }
}

/** The number of bookings, counted up to 10,000. */
export function countBookings(
  { db }: Databases,
  person: Actor,
  query: TableQuery,
  context: TimeContext,
): Promise<TableCount> {
  return readCount(db, tableFor(person, context), query, scopeOf(person, context), sql`bookings b`)
}

/** All bookings, a batch at a time. */
export async function* allBookings(
  database: Databases,
  person: Actor,
  query: TableQuery,
  context: TimeContext,
): AsyncGenerator<BookingWithRequests[]> {
  const batches = readAll(tableFor(person, context), query, scopeOf(person, context), (part) =>
    readIds(database, part),
  )
  for await (const rows of batches) yield readRecords(database, rows, context.now)
}

interface IdRow extends Record<string, unknown> {
  id: string
  position: Position
}

// IDs first: the complete bookings are read only for the rows of the page.
async function readIds({ db }: Databases, { where, orderBy, limit, position }: PagePart): Promise<IdRow[]> {
  const reply = await db.execute<IdRow>(
    sql`select b.id, ${position} as position from bookings b where ${where} order by ${orderBy} limit ${limit}`,
  )
  return reply.rows
}

async function readRecords(
  { pool }: Databases,
  rows: readonly IdRow[],
  now: number,
): Promise<BookingWithRequests[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const found = await readBookings(pool, ids, now)
  return ids.flatMap((id) => found.get(id) ?? [])
}

function scopeOf({ id, role }: Actor, { timezone }: TimeContext): TableScope {
  const own = {
    rider: sql`b.customer = ${id}::uuid`,
    driver: sql`b.driver = ${id}::uuid`,
    fleetadmin: sql`b.fleetadmin = ${id}::uuid`,
    admin: undefined,
  }[role]
  return { where: [own], timezone }
}

/** The filters a person may use: everyone whom their view shows, except themselves. */
function tableFor({ role }: Actor, { hidesContacts }: TimeContext): Table<typeof spec> {
  const isAdmin = role === 'admin'
  const searched = (pattern: SQL) =>
    isAdmin && !hidesContacts
      ? sql`(s.words like ${pattern} or s.contacts like ${pattern})`
      : sql`s.words like ${pattern}`
  return {
    spec,
    columns: {
      id: sql`b.id`,
      sorts: {
        tripdate: { sql: sql`b.tripdate`, type: 'int8' },
        bookingDate: { sql: sql`b.booking_date`, type: 'int8' },
        trip_cost: { sql: sql`b.trip_cost`, type: 'int8' },
      },
      sums: {
        trip_cost: sql`b.trip_cost`,
        convenience_fees: sql`b.convenience_fees`,
        cancellation_fee: sql`b.cancellation_fee`,
        driver_share: role === 'rider' ? null : sql`b.driver_share`,
        discount_amount: role === 'rider' || isAdmin ? sql`b.discount_amount` : null,
      },
      filters: {
        status: (wanted) => hasStatus(statusesOf(wanted)),
        car_type_id: sql`b.car_type_id`,
        customer: role === 'rider' ? null : sql`b.customer`,
        driver: role === 'driver' ? null : sql`b.driver`,
        fleetadmin: isAdmin ? sql`b.fleetadmin` : null,
        payment_mode: sql`b.payment_mode`,
        bookLater: sql`b.book_later`,
        tripdate: sql`b.tripdate`,
        objection: isAdmin ? () => sql`b.objection = 'open'` : null,
      },
      search: (patterns) => sql`exists (select from booking_search s where s.booking_id = b.id and
        ${sql.join(patterns.map(searched), sql` and `)})`,
    },
  }
}

function hasStatus(statuses: readonly BookingStatus[]): SQL {
  return statuses.length === 1
    ? sql`b.status = ${statuses[0]}`
    : sql`b.status = any(${sql.param([...statuses])}::text[])`
}

/** The statuses that a filter includes. */
function statusesOf(wanted: readonly (BookingStatus | 'open' | 'ended')[]): readonly BookingStatus[] {
  const isEnded = (status: BookingStatus) => (endedStatuses as readonly BookingStatus[]).includes(status)
  return bookingStatuses.filter(
    (status) => wanted.includes(status) || wanted.includes(isEnded(status) ? 'ended' : 'open'),
  )
}

/** A rider's trips that wait for payment, oldest first, without contested ones. */
export async function readUnpaid(pool: Pool, rider: string): Promise<string[]> {
  const { rows } = await pool.query<{ owes: RiderOwes }>(
    `select ${riderOwes} as owes from user_facts c where c.id = $1`,
    [rider],
  )
  return rows.flatMap(({ owes }) => unpaidOf(readRiderOwes(owes)).map(({ id }) => id))
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
