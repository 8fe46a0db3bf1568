import { bookingsTableSpec as spec } from '@hansom/contract/bookings-table'
import type { TableCount } from '@hansom/contract/tables'
import type { Actor } from '@hansom/domain/access/relation'
import { type BookingStatus, bookingStatuses, endedStatuses } from '@hansom/domain/bookings/status'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/database.ts'
import {
  type PagePart,
  type Position,
  readAll,
  readCount,
  readPage,
} from '../../../platform/tables/read-table.ts'
import type { Table, TableQuery, TableScope } from '../../../platform/tables/table.ts'
import { type BookingWithRequests, readBookings } from './read-bookings.ts'

type Databases = Pick<Database, 'pool' | 'db'>

/** The current time, epoch ms, the city's time zone, and whether contacts are hidden. */
export interface TimeContext {
  now: number
  timezone: string
  hidesContacts: boolean
}

/** A page of the actor's bookings; for an admin, of all bookings. */
export async function listBookings(
  database: Databases,
  actor: Actor,
  query: TableQuery,
  context: TimeContext,
): Promise<{ items: BookingWithRequests[]; next: string | null }> {
  const scope = scopeOf(actor, context)
  const { rows, next } = await readPage(tableFor(actor, context), query, scope, (part) =>
    readIds(database, part),
  )
  return { items: await readRecords(database, rows, context.now), next }
}

/** The number of bookings, counted up to 10,000. */
export function countBookings(
  { db }: Databases,
  actor: Actor,
  query: TableQuery,
  context: TimeContext,
): Promise<TableCount> {
  return readCount(db, tableFor(actor, context), query, scopeOf(actor, context), sql`bookings b`)
}

/** All bookings, a batch at a time. */
export async function* allBookings(
  database: Databases,
  actor: Actor,
  query: TableQuery,
  context: TimeContext,
): AsyncGenerator<BookingWithRequests[]> {
  const batches = readAll(tableFor(actor, context), query, scopeOf(actor, context), (part) =>
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

/** The filters an actor may use: everyone whom their view shows, except themselves. */
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
