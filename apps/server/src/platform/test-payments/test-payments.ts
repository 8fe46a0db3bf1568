import { and, eq, ne, sql } from 'drizzle-orm'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { testPaymentsTable as table } from './table.ts'

const refundedSql = sql<number>`(select coalesce(sum(value::bigint), 0) from jsonb_each_text(${table.refunds}))::bigint`

/** The test provider's payments, stored in the database. */
export function createTestPayments({ db }: Pick<Database, 'db'>, clock: Pick<Clock, 'now'>) {
  return {
    async read(reference: string) {
      const { amount, currency, state } = table
      const [row] = await db
        .select({ reference: table.reference, amount, currency, state, refunded: refundedSql })
        .from(table)
        .where(eq(table.reference, reference))
      return row ? { ...row, refunded: Number(row.refunded) } : null
    },
    async open(payment: { reference: string; amount: number; currency: string }): Promise<void> {
      const { reference, amount, currency } = payment
      await db.insert(table).values({ reference, amount, currency }).onConflictDoNothing()
    },
    async decide(reference: string, state: (typeof table.$inferSelect)['state']): Promise<void> {
      await db
        .update(table)
        .set({ state, decided_at: clock.now() })
        .where(and(eq(table.reference, reference), ne(table.state, 'paid')))
    },
    async refund(reference: string, id: string, amount: number): Promise<boolean> {
      // A repeated refund id changes nothing; a refund that exceeds the rest matches no row.
      const rows = await db
        .update(table)
        .set({ refunds: sql`jsonb_build_object(${id}::text, ${amount}::bigint) || ${table.refunds}` })
        .where(
          and(
            eq(table.reference, reference),
            sql`(${table.refunds} ? ${id} or ${refundedSql} + ${amount}::bigint <= ${table.amount})`,
          ),
        )
        .returning({ reference: table.reference })
      return rows.length > 0
    },
  }
}
