import type { AdminCancelReason, CancelReason } from '@hansom/contract/cancel-reasons'
import { cancelReasonsTableSpec } from '@hansom/contract/cancel-reasons-table'
import { reasonLimits, reasonProblems } from '@hansom/domain/cancel-reasons/reasons'
import { Refusal } from '@hansom/domain/error-keys'
import { filledTranslations, type Translations } from '@hansom/domain/languages/translations'
import { moved } from '@hansom/domain/moved'
import { asc, eq, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { authorOf, type Os, signedIn } from '../../platform/http/implement.ts'
import { registerShared, type TopicRegistry } from '../../platform/live/topics.ts'
import { type AdminTable, type Author, adminRoutes, adminTable } from '../../platform/tables/admin-table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import { cancelReasonsOrderTable, cancelReasonsTable, cancelReasonsTableColumns } from './table.ts'

type CancelReasonRow = typeof cancelReasonsTable.$inferSelect

export interface CancelReasonsService {
  /** In the order riders see; `value` is the position in the list. */
  all(): Promise<CancelReason[]>
  /** Like `all`. Throws no_cancel_reason when the list is empty. */
  list(): Promise<CancelReason[]>
  /** Fills an empty list; leaves a list with entries unchanged. */
  fillEmpty(tx: Transaction, reasons: readonly ReasonTexts[]): Promise<void>
}

/** A reason's text, and its translations. */
export interface ReasonTexts {
  label: string
  translations: Translations<'label'>
}

export function createCancelReasonsService({ database }: { database: Database }): CancelReasonsService {
  const { value, label, translations, id } = cancelReasonsTable
  const all = async () => {
    const rows = await database.db
      .select({ label, translations })
      .from(cancelReasonsTable)
      .orderBy(asc(value), asc(id))
    return rows.map((row, place) => ({ ...row, value: place }))
  }
  return {
    all,
    list: async () => {
      const reasons = await all()
      if (reasons.length === 0) throw new Refusal('no_cancel_reason')
      return reasons
    },
    fillEmpty: async ({ db }, reasons) => {
      const [found] = await db.select({ id }).from(cancelReasonsTable).limit(1)
      if (found !== undefined) return
      await db
        .insert(cancelReasonsTable)
        .values(reasons.map((reason, place) => ({ ...reason, value: place })))
    },
  }
}

export interface CancelReasonsAdminDeps {
  database: Database
  clock: Clock
  cancelReasons: CancelReasonsService
  topics: TopicRegistry
  hub: { publish(channel: string, data: unknown): void }
}

/** The list as admins edit it. Its order has its own version, which counts additions, removals and moves. */
export interface CancelReasonsAdmin extends AdminTable<CancelReasonRow, NewReason, AdminCancelReason> {
  remove(author: Author, id: string): Promise<void>
  /** Throws not_found, and conflict when `order` is not the current version of the order. */
  move(author: Author, id: string, to: number, order: number): Promise<AdminCancelReason>
}

type NewReason = Pick<ReasonTexts, 'label'> & { translations?: Translations<'label'> | undefined }

export function createCancelReasonsAdmin(deps: CancelReasonsAdminDeps): CancelReasonsAdmin {
  const { database, clock, cancelReasons, topics, hub } = deps
  const reasons = adminTable({
    database,
    clock,
    table: cancelReasonsTable,
    spec: cancelReasonsTableColumns,
    view: async (rows: readonly CancelReasonRow[], queries) => {
      const order = await readOrderVersion(queries)
      return rows.map((row) => ({ ...row, order }))
    },
    audit: {
      kind: 'cancel_reason',
      routes: 'cancelReasons',
      label: (row) => row.label,
      fields: ({ label, value, translations }) => ({
        label,
        value,
        translations: filledTranslations(translations),
      }),
    },
    /** Adds the reason at the end of the list. */
    complete: async ({ label, translations = {} }: NewReason, tx) => {
      const { list } = await lockOrder(tx)
      await renumber(tx, list)
      return { label, translations, value: list.length }
    },
    problems: (reason, before) => {
      const problems = reasonProblems(reason)
      const isFull = before === null && reason.value >= reasonLimits.count
      return isFull && problems.length === 0 ? [{ field: 'label', error: 'out_of_range' }] : problems
    },
    unique: { constraint: 'cancel_reasons_label_unique', field: 'label' },
    changed: registerShared(topics, hub, 'cancelReasons', () => cancelReasons.all()),
  })
  return {
    ...reasons,
    remove: (author, id) =>
      reasons.remove(author, id, async (tx) => {
        const { list, found } = await lockOrder(tx, id)
        await tx.db.delete(cancelReasonsTable).where(eq(cancelReasonsTable.id, id))
        await renumber(
          tx,
          list.filter((row) => row !== found),
        )
        return found
      }),
    move: (author, id, to, order) =>
      reasons.command(author, 'cancelReasons.move', { id, to, order }, async (tx) => {
        const { list, found, version } = await lockOrder(tx, id)
        const before = { ...found, value: list.indexOf(found) }
        if (version !== order + 1) {
          throw new Refusal('conflict', { data: { current: { ...before, order: version - 1 } } })
        }
        const after = moved(list, before.value, to)
        await renumber(tx, after)
        return { before, after: { ...before, value: after.indexOf(found) } }
      }),
  }
}

async function readOrderVersion(db: Queries): Promise<number> {
  const [row] = await db.select().from(cancelReasonsOrderTable)
  return row?.version ?? 0
}

/**
 * Increments the version of the order, locks it until the transaction ends, and reads the list. Throws not_found when
 * the reason with the given id is not in the list.
 */
async function lockOrder({ db }: Transaction, id?: string) {
  const { only, version } = cancelReasonsOrderTable
  const [order] = await db
    .insert(cancelReasonsOrderTable)
    .values({ version: 1 })
    .onConflictDoUpdate({ target: only, set: { version: sql`${version} + 1` } })
    .returning()
  const list = await db
    .select()
    .from(cancelReasonsTable)
    .orderBy(asc(cancelReasonsTable.value), asc(cancelReasonsTable.id))
  const found = list.find((row) => row.id === id)
  if (id !== undefined && found === undefined) throw new Refusal('not_found')
  return { list, found: found as CancelReasonRow, version: order?.version ?? 1 }
}

/** Sets each reason's value to its position in the list. */
async function renumber({ client }: Transaction, list: readonly CancelReasonRow[]): Promise<void> {
  await client.query(
    `update cancel_reasons r set value = place.value from
      (select id, (number - 1)::int as value from unnest($1::uuid[]) with ordinality as listed(id, number)) place
      where r.id = place.id and r.value <> place.value`,
    [list.map(({ id }) => id)],
  )
}

export function cancelReasonsRoutes(
  { cancelReasons: os }: Os,
  cancelReasons: CancelReasonsService,
  admin: CancelReasonsAdmin,
) {
  return {
    list: os.list.handler(() => cancelReasons.list()),
    table: os.table.handler(({ input }) => admin.page(input)),
    ...adminRoutes(os, admin),
    move: os.move
      .use(signedIn)
      .handler(({ context, input: { id, to, order } }) => admin.move(authorOf(context), id, to, order)),
  }
}

/** CSV export of the cancel reasons. */
export const cancelReasonsExport = (admin: CancelReasonsAdmin): TableExport =>
  tableExport<AdminCancelReason>({
    name: 'cancel-reasons',
    spec: cancelReasonsTableSpec,
    roles: ['admin'],
    when: 'always',
    rows: (_person, query) => admin.all(query),
    columns: [
      { title: 'cancelReasons.place', kind: 'number', value: (row) => row.value + 1 },
      { title: 'cancelReasons.label', kind: 'text', value: (row) => row.label },
    ],
  })
