import { createHash } from 'node:crypto'
import type { BookingEvent } from '@hansom/domain/bookings/decision'
import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { idempotencyTable, outboxTable } from '../../../platform/outbox/table.ts'
import { bookingEventsTable, bookingsTable, trackingTable } from '../table.ts'

type Row = Record<string, unknown>

/** The input of `apply_booking_decision`: rows by column name. */
export interface DecisionRows {
  now: number
  changes: { id: string; version: number; set: Row }[]
  events: Row[]
  outbox: Row[]
  idempotency?: Row
  claim?: string
  free?: string
  entries?: Row[]
  floored?: readonly string[]
  answered?: { booking_id: string; driver_id: string }
  withdrawn?: { booking_id: string; drivers: string[] }
  closed?: string
  tracking?: Row[]
  ratings?: Row[]
}

const parts: readonly string[] = [
  'now',
  'changes',
  'events',
  'outbox',
  'idempotency',
  'claim',
  'free',
  'entries',
  'floored',
  'answered',
  'withdrawn',
  'closed',
  'tracking',
  'ratings',
] satisfies (keyof DecisionRows)[]

/**
 * The commands of a usual trip. Others are left out because PostgreSQL keeps a plan of each statement for every connection,
 * and a command such as `change` has as many statements as sets of columns.
 */
const commands: readonly BookingEvent['command'][] = [
  'accept',
  'decline',
  'arrive',
  'start',
  'reach',
  'close',
  'rate',
  'skip_rating',
  'rate_rider',
  'cancel',
]

export interface Statement {
  name: string
  text: string
  values: unknown[]
}

/**
 * The statement that writes a usual decision, with the effects and errors of `apply_booking_decision`; null if only that
 * function writes it. It sets the changed columns only, from typed parameters, so PostgreSQL neither converts JSON nor
 * looks at the triggers of other columns. Every part reads from `changed`, so without it nothing is written. See decision 0362.
 */
export function stepStatement(command: BookingEvent['command'], rows: DecisionRows): Statement | null {
  const { changes, idempotency, claim, free, entries, floored, answered, tracking = [], ratings = [] } = rows
  const [change] = changes
  // One part at most writes users, whose rows are locked in the order of their ids.
  const usersParts = [claim, entries ?? free, ...ratings].filter((part) => part !== undefined)
  const isUsual =
    commands.includes(command) &&
    Object.keys(rows).every((part) => parts.includes(part)) &&
    changes.length === 1 &&
    usersParts.length < 2
  if (!isUsual || !change) return null

  const { values, param, insert, assign } = parameters()
  const ctes: string[] = []
  const from = ' from changed'
  const missing = (cte: string, code: string) =>
    `when not exists (select from ${cte}) then lost_race('${code}')`
  if (idempotency)
    ctes.push(`kept as (${insert(idempotencyTable, [idempotency], '')} on conflict do nothing returning 1)`)
  const set = ['version = version + 1', ...assign(bookingsTable, change.set)].join(', ')
  ctes.push(`changed as (update bookings set ${set} where id = ${param(change.id, 'uuid')}
    and version = ${param(change.version, 'int')}${idempotency ? ' and exists (select from kept)' : ''} returning id)`)
  ctes.push(...goneRequests(rows, param))
  if (tracking.length > 0)
    ctes.push(`tracked as (${insert(trackingTable, tracking, from)} on conflict do nothing)`)
  ctes.push(`recorded as (${insert(bookingEventsTable, rows.events, from)})`)
  if (rows.outbox.length > 0) {
    const events = rows.outbox.map((event) => ({ at: rows.now, ...event }))
    ctes.push(`published as (${insert(outboxTable, events, from)})`)
  }

  // Evaluated in this order, which is that of the locks: booking, users, requests.
  const calls = [`case ${idempotency ? missing('kept', 'HN001') : ''} ${missing('changed', 'HN002')} end`]
  if (claim !== undefined) calls.push(`claim_driver(${param(claim, 'uuid')})`)
  if (entries !== undefined)
    calls.push(
      `append_ledger(${param(entries, 'jsonb')}, ${param(floored, 'uuid[]')}, ${param(free, 'uuid')})`,
    )
  else if (free !== undefined) calls.push(`free_driver(${param(free, 'uuid')})`)
  for (const rating of ratings) calls.push(`save_rating(${param(rating, 'jsonb')})`)
  if (answered)
    calls.push(`case ${missing(`gone where driver_id = ${param(answered.driver_id, 'uuid')}`, 'HN006')} end`)
  const text = `with ${ctes.join(',\n')}\nselect ${calls.join(', ')}`
  return { name: nameOf(text), text, values }
}

/** Deletes the requests that the decision answers, withdraws or closes. */
function goneRequests({ answered, withdrawn, closed }: DecisionRows, param: Param): string[] {
  if (!answered && !withdrawn && !closed) return []
  const drivers = [...(withdrawn?.drivers ?? []), ...(answered ? [answered.driver_id] : [])]
  const only = closed ? '' : ` and r.driver_id = any(${param(drivers, 'uuid[]')})`
  return [
    `gone as (delete from booking_requests r using changed where r.booking_id = changed.id${only} returning r.driver_id)`,
  ]
}

type Param = (value: unknown, type: string) => string

/** Collects the parameters of a statement, with the types of the columns that take them. */
function parameters() {
  const values: unknown[] = []
  const param: Param = (value, type) => {
    const isJson = type === 'jsonb' && value !== null
    return `$${values.push(isJson ? JSON.stringify(value) : (value ?? null))}::${type}`
  }
  const known = (row: Row) => Object.entries(row).filter(([, value]) => value !== undefined)
  return {
    values,
    param,
    assign: (table: Table, row: Row) =>
      known(row).map(([name, value]) => `"${name}" = ${param(value, typeOf(table, name))}`),
    /** All rows have the same columns. */
    insert: (table: Table, rows: readonly Row[], from: string) => {
      const names = known(rows[0] ?? {}).map(([name]) => name)
      const lines = rows.map((row) => names.map((name) => param(row[name], typeOf(table, name))).join(', '))
      const selects = lines.map((line) => `select ${line}${from}`)
      const columns = names.map((name) => `"${name}"`).join(', ')
      return `insert into ${getTableName(table)} (${columns}) ${selects.join(' union all ')}`
    },
  }
}

const types = new Map<Table, Map<string, string>>()

/** The SQL type of a column. Throws for a name the table does not have. */
function typeOf(table: Table, name: string): string {
  let known = types.get(table)
  if (known === undefined) {
    known = new Map(Object.values(getTableColumns(table)).map((column) => [column.name, column.getSQLType()]))
    types.set(table, known)
  }
  const type = known.get(name)
  if (type === undefined) throw new Error(`${getTableName(table)} has no column ${name}`)
  return type.replace('bigserial', 'bigint')
}

const names = new Map<string, string>()

/** The name under which connections keep the prepared statement. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `booking-step-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
    names.set(text, name)
  }
  return name
}
