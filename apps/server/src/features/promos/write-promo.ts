import type { NewPromo, PromoChanges, PromoView } from '@hansom/contract/promos'
import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { type PromoFields, type PromoState, promoProblems } from '@hansom/domain/promos/check-promo'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { promosTable } from './table.ts'

export type PromoRow = typeof promosTable.$inferSelect

/** A promo as admins see it. */
export function promoView(row: PromoRow): PromoView {
  const { archived_at: _archived, ...shown } = row
  return shown
}

/** Throws invalid_input with the field errors. */
export async function addPromo(tx: Transaction, given: NewPromo, now: number): Promise<PromoRow> {
  const complete = { promo_description: '', max_promo_discount_value: 0, min_order: 0, ...given }
  await refuseProblems(tx.db, complete, { user_avail: 0, now })
  const [row] = await tx.db
    .insert(promosTable)
    .values({ ...complete, id: uuidv7(), createdAt: now })
    .returning()
    .catch(takenName)
  return row as PromoRow
}

/**
 * Changes a promo. Throws not_found, conflict with the current record in `data.current`, invalid_input with the field
 * errors, such as a limit below the uses so far: the row is locked, so no use is added meanwhile. A use by a booking
 * does not change the version. Bookings keep their copy.
 */
export async function changePromo(
  tx: Transaction,
  id: string,
  given: PromoChanges,
  version: number,
): Promise<{ before: PromoRow; after: PromoRow }> {
  const before = await lockPromo(tx, id)
  if (before.version !== version) throw new Refusal('conflict', { data: { current: promoView(before) } })
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  await refuseProblems(tx.db, { ...before, ...changes }, { user_avail: before.user_avail, now: null })
  return { before, after: await store(tx, id, changes) }
}

/** Removes a promo from every list and from use. Throws not_found. */
export async function archivePromo(tx: Transaction, id: string, now: number): Promise<PromoRow> {
  const row = await lockPromo(tx, id)
  await store(tx, id, { archived_at: now })
  return row
}

async function lockPromo({ db }: Transaction, id: string): Promise<PromoRow> {
  const [row] = await db
    .select()
    .from(promosTable)
    .where(and(eq(promosTable.id, id), isNull(promosTable.archived_at)))
    .for('update')
  if (row === undefined) throw new Refusal('not_found')
  return row
}

async function store(
  { db }: Transaction,
  id: string,
  changes: Partial<typeof promosTable.$inferInsert>,
): Promise<PromoRow> {
  const [row] = await db
    .update(promosTable)
    .set({ ...changes, version: sql`${promosTable.version} + 1` })
    .where(eq(promosTable.id, id))
    .returning()
    .catch(takenName)
  return row as PromoRow
}

async function refuseProblems(
  db: Queries,
  complete: PromoFields & { id?: string },
  state: PromoState,
): Promise<void> {
  const fields: FieldError[] = promoProblems(complete, state)
  const [same] = await db
    .select({ id: promosTable.id })
    .from(promosTable)
    .where(
      and(
        eq(promosTable.promo_name, complete.promo_name),
        isNull(promosTable.archived_at),
        complete.id === undefined ? undefined : ne(promosTable.id, complete.id),
      ),
    )
  if (same !== undefined) fields.push({ field: 'promo_name', error: 'taken' })
  if (fields.length > 0) throw new Refusal('invalid_input', { fields })
}

/** Translates a lost race for a name to a field error. */
function takenName(error: unknown): never {
  if (!isUniqueViolation(error, 'promos_name')) throw error
  throw new Refusal('invalid_input', { fields: [{ field: 'promo_name', error: 'taken' }] })
}
