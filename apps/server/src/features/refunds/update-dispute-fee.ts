import type { Amount } from '@hansom/domain/money/amount'
import { disputeFee } from '@hansom/domain/wallet/refund-entries'
import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { RefundsDeps } from './deps.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** Records the provider's current dispute fee, once per change. Null if unchanged. */
export async function updateDisputeFee(
  deps: Pick<RefundsDeps, 'wallet'>,
  tx: Transaction,
  { id, booking, provider, currency, fee: before, fee_changes }: RefundRow,
  fee: Amount,
  { at, by }: { at: number; by: string | null },
): Promise<RefundRow | null> {
  if (fee === before || provider === null) return null
  const step = fee_changes + 1
  const [row] = await tx.db
    .update(refundsTable)
    .set({ fee, fee_changes: step })
    .where(and(eq(refundsTable.id, id), eq(refundsTable.fee_changes, fee_changes)))
    .returning()
  if (row === undefined) return null
  const entry = disputeFee({ id, booking }, provider, fee - before, step)
  await deps.wallet.append(tx, [entry], { at, currency, by })
  return row
}
