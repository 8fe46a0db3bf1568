import type { TableCount, TableSpec } from '@hansom/contract/tables'
import type { RouteName } from '@hansom/domain/access/routes'
import { type AuditedRecord, isSameValue } from '@hansom/domain/audit/changed-fields'
import type { AuditKind } from '@hansom/domain/audit/record-kinds'
import { type Defined, definedFields } from '@hansom/domain/defined'
import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import type { Schema } from '@orpc/contract'
import type { ProcedureImplementer } from '@orpc/server'
import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { refuseClash, writeAudit } from '../audit/audit.ts'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { isUniqueViolation } from '../database/postgres-errors.ts'
import type { Queries, Transaction } from '../database/transaction.ts'
import { authorOf, type RequestContext, signedIn } from '../http/implement.ts'
import { idempotent } from '../outbox/idempotency.ts'
import { type Position, type TableReader, tableReader } from './read-table.ts'
import type { Table, TableQuery } from './table.ts'

/** The admin who runs a command, and the idempotency key of the request; with null, every call runs. */
export interface Author {
  uid: string
  key: string | null
}

/** A table whose rows have a version; removal archives a row where there is a column for it. */
type VersionedTable = PgTable & {
  id: AnyPgColumn
  version: AnyPgColumn
  createdAt?: AnyPgColumn
  archived_at?: AnyPgColumn
}

/** Nouns with the routes `create`, `update` and `remove`. */
type Noun<R> = R extends `${infer N}.create` ? N : never
type EditedNoun = {
  [N in Noun<RouteName>]: `${N}.update` | `${N}.remove` extends RouteName ? N : never
}[Noun<RouteName>]

interface Versioned {
  id: string
  version: number
}

/** The fields of a row without those that this module sets. */
export type Entered<Row> = Omit<Row, 'id' | 'version' | 'createdAt' | 'archived_at'>

export interface AdminTableOptions<O extends TableSpec, Row extends Versioned, New extends object, V> {
  database: Database
  clock: Clock
  /** The city's time zone, for filters by day; UTC when the table has none. */
  timezone?: () => Promise<string>
  table: VersionedTable & { $inferSelect: Row }
  spec: Table<O>
  view(rows: readonly Row[], queries: Queries): V[] | Promise<V[]>
  audit: {
    kind: AuditKind
    routes: EditedNoun
    label(row: Row): string
    /** The logged fields. */
    fields(row: Row): AuditedRecord
  }
  /** Completes what an admin entered for a new record with defaults. */
  complete(given: Defined<New>, tx: Transaction): Entered<Row> | Promise<Entered<Row>>
  /** Problems of a complete record; `before` is null for a new one. */
  problems(next: Entered<Row>, before: Row | null): FieldError[]
  /** A field whose value only one row has: its unique index, and the condition for a row with the same value. */
  unique?: { constraint: string; field: string; isSame?(next: Entered<Row>): SQL }
  /** Throws when a row must not be removed. */
  refuseRemoval?(tx: Transaction, row: Row): Promise<void>
  /** Called after the commit of every change. */
  changed?(): void
}

export interface AdminTable<Row, New, V> extends TableReader<V> {
  /** Throws not_found. */
  get(id: string): Promise<V>
  /** Throws invalid_input. */
  add(author: Author, given: New): Promise<V>
  /** Merges with changes of other fields. Throws not_found, conflict with `ConflictData`, invalid_input. */
  change(author: Author, id: string, version: number, changes: object): Promise<V>
  /** Archives or deletes; `work` replaces that and returns the removed row. Throws not_found. */
  remove(author: Author, id: string, work?: (tx: Transaction) => Promise<Row>): Promise<void>
  /** Runs another change of one row with its audit row; a repeat with the same key only returns the record. */
  command(author: Author, action: RouteName, given: object, work: Work<Row>): Promise<V>
  /** Locks a row that is not archived. Throws not_found. */
  lock(tx: Transaction, id: string): Promise<Row>
  /** Stores changes as a new version. Throws invalid_input for a taken value. */
  store(tx: Transaction, id: string, changes: object): Promise<Row>
}

/** Returns the row before and after a change; null when it was added or removed. */
export type Work<Row> = (tx: Transaction) => Promise<{ before: Row | null; after: Row | null }>

/**
 * A table that admins edit: pages, counts and exports, and commands that leave a row in the audit log, run once per
 * idempotency key, and conflict when another admin has changed the same fields.
 */
export function adminTable<O extends TableSpec, Row extends Versioned, New extends object, V>(
  options: AdminTableOptions<O, Row, New, V>,
): AdminTable<Row, New, V> {
  const { database, clock, spec, view, audit, problems, unique, refuseRemoval } = options
  const table: VersionedTable = options.table
  const { archived_at } = table
  const isListed = archived_at && isNull(archived_at)
  const taken = (error: unknown): never => {
    if (unique === undefined || !isUniqueViolation(error, unique.constraint)) throw error
    throw new Refusal('invalid_input', { fields: [{ field: unique.field, error: 'taken' }] })
  }
  const refuseProblems = async ({ db }: Transaction, next: Entered<Row>, before: Row | null) => {
    const fields = problems(next, before)
    if (unique?.isSame !== undefined) {
      const isOther = before === null ? undefined : ne(table.id, before.id)
      const [same] = await db
        .select()
        .from(table)
        .where(and(unique.isSame(next), isListed, isOther))
        .limit(1)
      if (same !== undefined) fields.push({ field: unique.field, error: 'taken' })
    }
    if (fields.length > 0) throw new Refusal('invalid_input', { fields })
  }
  const lock = async ({ db }: Transaction, id: string) => {
    const [row] = await db
      .select()
      .from(table)
      .where(and(eq(table.id, id), isListed))
      .for('update')
    if (row === undefined) throw new Refusal('not_found')
    return row as Row
  }
  const store = async ({ db }: Transaction, id: string, changes: object) => {
    const [row] = await db
      .update(table)
      .set({ ...changes, version: sql`${table.version} + 1` })
      .where(eq(table.id, id))
      .returning()
      .catch(taken)
    return row as Row
  }
  const remove = async (tx: Transaction, id: string) => {
    const row = await lock(tx, id)
    await refuseRemoval?.(tx, row)
    if (archived_at) await store(tx, id, { archived_at: clock.now() })
    else await tx.db.delete(table).where(eq(table.id, id))
    return row
  }
  /** Runs a change with its audit row, once per key; `result` reads what the command returns. */
  const run = <Result>(
    { uid: user, key }: Author,
    action: RouteName,
    body: object,
    work: Work<Row>,
    result: (queries: Queries, id: string) => Promise<Result>,
  ) =>
    database.withTransaction(async (tx) => {
      const at = clock.now()
      const subject = await idempotent(tx, { user, command: action, key, body, at }, async () => {
        const { before, after } = await work(tx)
        const row = (after ?? before) as Row
        await writeAudit(tx, {
          by: user,
          at,
          action,
          kind: audit.kind,
          subject: row.id,
          label: audit.label(row),
          version: after?.version,
          before: before && audit.fields(before),
          after: after && audit.fields(after),
        })
        if (options.changed) tx.afterCommit(options.changed)
        return row.id
      })
      return result(tx.db, subject)
    })
  const get = async (queries: Queries, id: string) => {
    const [row] = await queries.select().from(table).where(eq(table.id, id))
    if (row === undefined) throw new Refusal('not_found')
    return (await view([row as Row], queries))[0] as V
  }

  return {
    ...tableReader({
      queries: database.db,
      table: spec,
      from: sql`${table}`,
      scope: async () => ({ where: [isListed], timezone: (await options.timezone?.()) ?? 'UTC' }),
      read: ({ where, orderBy, limit, position }) =>
        database.db.select({ row: table, position }).from(table).where(where).orderBy(orderBy).limit(limit),
      view: (rows: readonly { row: unknown; position: Position }[]) =>
        view(
          rows.map(({ row }) => row as Row),
          database.db,
        ),
    }),
    get: (id) => get(database.db, id),
    add: (author, given) =>
      run(
        author,
        `${audit.routes}.create`,
        given,
        async (tx) => {
          const next = await options.complete(definedFields(given), tx)
          await refuseProblems(tx, next, null)
          const made = { ...next, id: uuidv7(), ...(table.createdAt && { createdAt: clock.now() }) }
          const rows = await tx.db.insert(table).values(made).returning().catch(taken)
          return { before: null, after: rows[0] as unknown as Row }
        },
        get,
      ),
    change: (author, id, version, changes) =>
      run(
        author,
        `${audit.routes}.update`,
        { id, version, ...changes },
        async (tx) => {
          const current = await lock(tx, id)
          await refuseClash(tx, {
            kind: audit.kind,
            subject: id,
            seen: version,
            current,
            changes,
            view: async () => (await view([current], tx.db))[0] as V,
          })
          const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
          const next = { ...current, ...given }
          await refuseProblems(tx, next, current)
          const isSame = Object.entries(given).every(([field, value]) =>
            isSameValue(current[field as keyof Row], value),
          )
          // A version without an audit row counts as a change of every field.
          if (isSame) return { before: current, after: current }
          return { before: current, after: await store(tx, id, given) }
        },
        get,
      ),
    remove: (author, id, work = (tx) => remove(tx, id)) =>
      run(
        author,
        `${audit.routes}.remove`,
        { id },
        async (tx) => ({ before: await work(tx), after: null }),
        async () => {},
      ),
    command: (author, action, given, work) => run(author, action, given, work, get),
    lock,
    store,
  }
}

type Route<Input, Output> = ProcedureImplementer<
  RequestContext,
  RequestContext,
  Schema<unknown, Input>,
  Schema<Output, unknown>,
  Record<never, never>,
  Record<never, never>
>

/** The routes that every admin table has, besides its pages. */
interface AdminRoutes<New, V> {
  count: Route<TableQuery, TableCount>
  create: Route<New, V>
  update: Route<{ id: string; version: number }, V>
  remove: Route<{ id: string }, { ok: true }>
}

/** Implements the routes of an admin table that are the same in every contract. */
export function adminRoutes<Row, New, V, O extends AdminRoutes<New, V>>(
  os: O & AdminRoutes<New, V>,
  admin: AdminTable<Row, New, V>,
) {
  const implemented = {
    count: os.count.handler(({ input }) => admin.count(input)),
    create: os.create.use(signedIn).handler(({ context, input }) => admin.add(authorOf(context), input)),
    update: os.update
      .use(signedIn)
      .handler(({ context, input: { id, version, ...changes } }) =>
        admin.change(authorOf(context), id, version, changes),
      ),
    remove: os.remove.use(signedIn).handler(async ({ context, input }) => {
      await admin.remove(authorOf(context), input.id)
      return { ok: true } as const
    }),
  }
  // With the schemas of this contract instead of their common shape.
  return implemented as { [Name in keyof AdminRoutes<New, V>]: ReturnType<O[Name]['handler']> }
}
