import { id as uuid } from '@hansom/contract/shapes'
import type { WithdrawView } from '@hansom/contract/withdraws'
import { Refusal } from '@hansom/domain/error-keys'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { type WithdrawRow, withdrawsTable } from './table.ts'

const pageSize = 20

export function withdrawView({ currency: _currency, ...row }: WithdrawRow): WithdrawView {
  return row
}

/** Throws not_found. */
export async function readWithdraw(queries: Queries, id: string): Promise<WithdrawView> {
  const [row] = await queries.select().from(withdrawsTable).where(eq(withdrawsTable.id, id))
  if (row === undefined) throw new Refusal('not_found')
  return withdrawView(row)
}

/** A user's requests, newest first; `cursor` is the ID of the last one shown. */
export async function listOwnWithdraws(
  queries: Queries,
  uid: string,
  cursor: string | undefined,
): Promise<{ items: WithdrawView[]; next: string | null }> {
  if (cursor !== undefined && !uuid.safeParse(cursor).success) {
    throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
  }
  const { id, date } = withdrawsTable
  const after = sql`(${date}, ${id}) < (select w.date, w.id from ${withdrawsTable} w where w.id = ${cursor} and w.uid = ${uid})`
  const rows = await queries
    .select()
    .from(withdrawsTable)
    .where(and(eq(withdrawsTable.uid, uid), cursor === undefined ? undefined : after))
    .orderBy(desc(date), desc(id))
    .limit(pageSize + 1)
  const items = rows.slice(0, pageSize).map(withdrawView)
  return { items, next: rows.length > pageSize ? (items.at(-1)?.id ?? null) : null }
}
