import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { moved, reasonLimits, reasonProblem } from '@hansom/domain/cancel-reasons/reasons'
import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { asc, eq, sql } from 'drizzle-orm'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { type CancelReasonRow } from './service.ts'
import { cancelReasonsOrderTable, cancelReasonsTable } from './table.ts'

/** Returns the list's version: the number of additions, removals and moves. */
export async function readListVersion(db: Queries): Promise<number> {
  const [row] = await db.select().from(cancelReasonsOrderTable)
  return row?.version ?? 0
}

export function reasonView(row: CancelReasonRow, order: number): AdminCancelReason {
  return { ...row, order }
}

/** Adds a reason at the end of the list. Throws invalid_input. */
export async function addReason(tx: Transaction, label: string): Promise<CancelReasonRow> {
  refuse(reasonProblem(label))
  await nextOrder(tx)
  const list = await readAll(tx)
  if (list.length >= reasonLimits.count) refuse('out_of_range')
  await renumber(tx, list)
  const [row] = await tx.db
    .insert(cancelReasonsTable)
    .values({ label, value: list.length })
    .returning()
    .catch(takenLabel)
  return row as CancelReasonRow
}

/** Changes a reason's label. Throws not_found, conflict with the reason in `data.current`, invalid_input. */
export async function renameReason(
  tx: Transaction,
  id: string,
  label: string,
  version: number,
): Promise<{ before: CancelReasonRow; after: CancelReasonRow }> {
  const [before] = await tx.db
    .select()
    .from(cancelReasonsTable)
    .where(eq(cancelReasonsTable.id, id))
    .for('update')
  if (before === undefined) throw new Refusal('not_found')
  if (before.version !== version) {
    throw new Refusal('conflict', { data: { current: reasonView(before, await readListVersion(tx.db)) } })
  }
  refuse(reasonProblem(label))
  const [after] = await tx.db
    .update(cancelReasonsTable)
    .set({ label, version: sql`${cancelReasonsTable.version} + 1` })
    .where(eq(cancelReasonsTable.id, id))
    .returning()
    .catch(takenLabel)
  return { before, after: after as CancelReasonRow }
}

/**
 * Moves a reason to another position. Throws not_found, and conflict when `order` is not the list's current version.
 */
export async function moveReason(
  tx: Transaction,
  id: string,
  to: number,
  order: number,
): Promise<{ before: CancelReasonRow; after: CancelReasonRow }> {
  const next = await nextOrder(tx)
  const list = await readAll(tx)
  const from = list.findIndex((row) => row.id === id)
  const before = list[from]
  if (before === undefined) throw new Refusal('not_found')
  if (next !== order + 1) {
    throw new Refusal('conflict', { data: { current: reasonView({ ...before, value: from }, next - 1) } })
  }
  const after = moved(list, from, to)
  await renumber(tx, after)
  return {
    before: { ...before, value: from },
    after: { ...before, value: after.indexOf(before) },
  }
}

/** Removes a reason; later reasons move up. Throws not_found. */
export async function removeReason(tx: Transaction, id: string): Promise<CancelReasonRow> {
  await nextOrder(tx)
  const list = await readAll(tx)
  const gone = list.find((row) => row.id === id)
  if (gone === undefined) throw new Refusal('not_found')
  await tx.db.delete(cancelReasonsTable).where(eq(cancelReasonsTable.id, id))
  await renumber(
    tx,
    list.filter((row) => row !== gone),
  )
  return gone
}

/** Increments the list's version and locks it until the transaction ends. */
async function nextOrder({ db }: Transaction): Promise<number> {
  const { only, version } = cancelReasonsOrderTable
  const [row] = await db
    .insert(cancelReasonsOrderTable)
    .values({ version: 1 })
    .onConflictDoUpdate({ target: only, set: { version: sql`${version} + 1` } })
    .returning()
  return row?.version ?? 1
}

function readAll({ db }: Transaction): Promise<CancelReasonRow[]> {
  return db
    .select()
    .from(cancelReasonsTable)
    .orderBy(asc(cancelReasonsTable.value), asc(cancelReasonsTable.id))
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

function refuse(error: FieldError['error'] | null): void {
  if (error !== null) throw new Refusal('invalid_input', { fields: [{ field: 'label', error }] })
}

function takenLabel(error: unknown): never {
  if (!isUniqueViolation(error, 'cancel_reasons_label_unique')) throw error
  throw new Refusal('invalid_input', { fields: [{ field: 'label', error: 'taken' }] })
}
