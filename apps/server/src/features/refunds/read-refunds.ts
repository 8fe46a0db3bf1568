import type { RefundView } from '@hansom/contract/refunds'
import { Refusal } from '@hansom/domain/error-keys'
import { and, desc, eq, type SQL } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** Maximum number of refunds shown for one booking or payment. */
const maxRefunds = 100

export function refundView(row: RefundRow): RefundView {
  const { id, at, booking, code, payment, provider, origin, source, rider, rider_name } = row
  const { amount, currency, bearer, reason, state, failure, ended_at, fee } = row
  const what = { id, at, booking, code, payment, provider, origin, source, rider, rider_name }
  return { ...what, amount, currency, bearer, reason, state, failure, ended_at, fee }
}

/** Throws not_found. */
export async function readRefund(queries: Queries, id: string): Promise<RefundRow> {
  const [row] = await queries.select().from(refundsTable).where(eq(refundsTable.id, id))
  if (row === undefined) throw new Refusal('not_found')
  return row
}

/** The refunds of a booking or payment, newest first. */
export async function refundsOf(
  queries: Queries,
  of: { booking: string } | { payment: string },
): Promise<RefundRow[]> {
  const which: SQL =
    'booking' in of ? eq(refundsTable.booking, of.booking) : eq(refundsTable.payment, of.payment)
  return queries
    .select()
    .from(refundsTable)
    .where(and(which))
    .orderBy(desc(refundsTable.at), desc(refundsTable.id))
    .limit(maxRefunds)
}
