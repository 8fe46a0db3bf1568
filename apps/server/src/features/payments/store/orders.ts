import { and, eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Queries } from '../../../platform/database/transaction.ts'
import { paymentsTable, topUpsTable } from '../table.ts'

/** Finds a person's order by ID or code; null for others' orders. */
export async function findOrderId(
  pool: Pool,
  uid: string,
  asked: string,
): Promise<{ id: string; kind: 'booking' | 'top_up' } | null> {
  const { rows } = await pool.query<{ id: string; kind: 'booking' | 'top_up' }>(
    `select id, 'booking' as kind from bookings where customer = $1 and (id::text = $2 or booking_id = upper($2))
      union all select id, 'top_up' from top_ups where uid = $1 and (id::text = $2 or code = upper($2))`,
    [uid, asked],
  )
  return rows[0] ?? null
}

export async function readTopUp(queries: Queries, id: string) {
  const [row] = await queries
    .select({
      id: topUpsTable.id,
      code: topUpsTable.code,
      uid: topUpsTable.uid,
      amount: topUpsTable.amount,
      currency: topUpsTable.currency,
      isPaid: sql<boolean>`exists (select from ${paymentsTable} where ${and(
        eq(paymentsTable.top_up, topUpsTable.id),
        eq(paymentsTable.state, 'paid'),
      )})`,
    })
    .from(topUpsTable)
    .where(eq(topUpsTable.id, id))
  return row ?? null
}
