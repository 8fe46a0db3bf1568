import type { BookingRow } from '@hansom/contract/bookings'
import { bookingsTableSpec as spec } from '@hansom/contract/bookings-table'
import type { TableCount } from '@hansom/contract/tables'
import type { Actor } from '@hansom/domain/access/relation'
import { type BookingStatus, bookingStatuses, endedStatuses } from '@hansom/domain/bookings/status'
import { countedStatuses } from '@hansom/domain/reports/counted'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/database.ts'
import type { ReadReport } from '../../../platform/database/replica.ts'
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
  read: ReadReport,
  actor: Actor,
  query: TableQuery,
  context: TimeContext,
): AsyncGenerator<BookingWithRequests[]> {
  const batches = readAll(tableFor(actor, context), query, scopeOf(actor, context), (part) =>
    read((source) => readIds(source, part)),
  )
  for await (const rows of batches) yield read((source) => readRecords(source, rows, context.now))
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
function tableFor({ role }: Actor, { hidesContacts, timezone }: TimeContext): Table<typeof spec> {
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
        trip_cost: sql`case b.status when 'CANCELLED' then b.cancellation_fee else ${countedSum(sql`b.trip_cost`)} end`,
        convenience_fees: countedSum(sql`b.convenience_fees`),
        cancellation_fee: sql`b.cancellation_fee`,
        driver_share: role === 'rider' ? null : countedSum(sql`b.driver_share`),
        discount_amount: role === 'rider' || isAdmin ? countedSum(sql`b.discount_amount`) : null,
        ...(isAdmin && adminSums),
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
        group_id: isAdmin ? sql`b.group_id` : null,
        ...(isAdmin || role === 'fleetadmin' ? operationFilters(timezone) : noOperationFilters),
        objection: isAdmin || role === 'fleetadmin' ? () => sql`b.objection = 'open'` : null,
        unproven: isAdmin || role === 'fleetadmin' ? unproven : null,
        chat_report: isAdmin ? reportedFor : null,
        reported: isAdmin ? reported : null,
      },
      search: (patterns) => sql`exists (select from booking_search s where s.booking_id = b.id and
        ${sql.join(patterns.map(searched), sql` and `)})`,
    },
  }
}

/** Deliveries with a stop that no one could check, reported in a span of time. */
const unproven: NonNullable<FilterColumns['unproven']> = ({ from, to }) => sql`b.id in (
  select u.booking from unproven_stops u where u.at between ${from ?? 0}::int8 and ${to ?? 2 ** 53}::int8)`

/** Bookings with an open report of their chat, for one of these reasons or any. */
const reportedFor: NonNullable<FilterColumns['chat_report']> = (wanted) => sql`b.id in (
  select r.booking from open_chat_reports r
    where ${wanted.includes('open')} or r.reason = any(${sql.param([...wanted])}::text[]))`

/** Bookings whose chat was reported in a span of time. */
const reported: NonNullable<FilterColumns['reported']> = ({ from, to }) => sql`b.id in (
  select r.booking from open_chat_reports r where r.at between ${from ?? 0}::int8 and ${to ?? 2 ** 53}::int8)`

type FilterColumns = Table<typeof spec>['columns']['filters']
type OperationFilters = Pick<
  FilterColumns,
  'outcome' | 'reason' | 'hour' | 'area' | 'offered' | 'accepted' | 'arrived'
>

/** The filters of the operator's figures; they list ended bookings only. */
const operationFilters = (timezone: string): OperationFilters => ({
  outcome: (wanted) => inOperations(sql`o.outcome = any(${sql.param([...wanted])}::text[])`),
  reason: (text) => inOperations(sql`o.reason = ${text}`),
  hour: ({ from, to }) =>
    inOperations(
      sql`extract(hour from to_timestamp(o.tripdate / 1000.0) at time zone ${timezone}) between ${from ?? 0}::int and ${to ?? 23}::int`,
    ),
  area: ({ from, to }) => inOperations(sql`o.area between ${from ?? 0}::int8 and ${to ?? 2 ** 31}::int8`),
  offered: (yes) => inOperations(yes ? sql`o.offers > 0` : sql`o.offers = 0`),
  accepted: (yes) => inOperations(yes ? sql`o.acceptances > 0` : sql`o.acceptances = 0`),
  arrived: (yes) => inOperations(yes ? sql`o.arrived` : sql`not o.arrived`),
})

const noOperationFilters = {
  outcome: null,
  reason: null,
  hour: null,
  area: null,
  offered: null,
  accepted: null,
  arrived: null,
} satisfies OperationFilters

/** Ended bookings with a condition on the operator's figures. */
const inOperations = (condition: SQL) =>
  sql`exists (select from booking_operations o where o.booking = b.id and ${condition})`

/** As in the reports: before a trip is paid its amounts are estimates. */
const countedSum = (column: SQL) =>
  sql`case when b.status = any(${sql.param([...countedStatuses])}::text[]) then ${column} else 0 end`

const refunded = (booking: SQL) =>
  sql`(select coalesce(sum(r.amount), 0)::bigint from refund_records r where r.booking = ${booking} and r.state <> 'failed')`
const writtenOff = (booking: SQL) => sql`(
  select coalesce(-sum(l.amount), 0)::bigint from ledger_records e join ledger_lines l on l.entry_id = e.id
    where e.booking = ${booking} and e.kind in ('write_off', 'objection_decided') and l.account = 'platform')`

const adminSums = {
  customer_paid: sql`b.customer_paid`,
  cashPaymentAmount: sql`b.cash_payment_amount`,
  cardPaymentAmount: sql`b.card_payment_amount`,
  usedWalletMoney: sql`b.used_wallet_money`,
  outstanding_collected: sql`b.outstanding_collected`,
  refunded: refunded(sql`b.id`),
  write_off: writtenOff(sql`b.id`),
}

/** What other records know about a booking. */
export type RowFigures = Pick<BookingRow, 'refunded' | 'write_off' | 'fleet_name' | 'chat'>
export const noFigures: RowFigures = { refunded: 0, write_off: 0, fleet_name: null, chat: null }

/** The figures of some bookings, by id; only admins see them. */
export async function readFigures(
  { db }: Databases,
  ids: readonly string[],
): Promise<Map<string, RowFigures>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<RowFigures & { id: string } & Record<string, unknown>>(sql`
    select b.id, ${refunded(sql`b.id`)} as refunded, ${writtenOff(sql`b.id`)} as write_off, trim(u.name) as fleet_name,
        (select jsonb_build_object('messages', sum(c.messages), 'last_at', max(c.last_at), 'reports', sum(c.reports),
            'report', (select jsonb_build_object('reason', r.reason, 'at', r.at) from open_chat_reports r
              where r.booking = b.id order by r.at desc limit 1))
          from chat_figures c where c.booking_id = b.id having sum(c.messages + c.reports) > 0) as chat
      from bookings b left join user_names u on u.id = b.fleetadmin where b.id = any(${sql.param([...ids])}::uuid[])`)
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}

/** The unread messages of a rider or a driver in the present conversations of some bookings, by booking. */
export async function readUnreadMessages(
  { db }: Databases,
  role: 'rider' | 'driver',
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: string; unread: number }>(sql`
    select b.id, ${sql.identifier(`by_${role}`)} as unread
      from bookings b join unread_chats u on u.booking_id = b.id and u.driver_id = b.driver
      where b.id = any(${sql.param([...ids])}::uuid[])`)
  return new Map(rows.map(({ id, unread }) => [id, unread]))
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
