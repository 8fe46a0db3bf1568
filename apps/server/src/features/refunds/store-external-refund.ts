import type { Amount } from '@hansom/domain/money/amount'
import type { RefundOrigin } from '@hansom/domain/wallet/refund'
import { refundRequested } from '@hansom/domain/wallet/refund-entries'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { PaymentRow } from '../payments/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { RefundsDeps } from './deps.ts'
import { refundOf } from './end-refund.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** A bank takes weeks: poll the state in case its message is lost. */
const pollAfterMs = 6 * 3_600_000

/** Money returned through the provider without an admin's refund. */
export interface ExternalRefund {
  origin: Exclude<RefundOrigin, 'office'>
  amount: Amount
  /** The provider's ID; null if an admin recorded it. */
  providerRefundId: string | null
  reason: string
  by: string | null
}

/** Stores it as pending. The platform bears it, or the payer's wallet if the money was credited there. */
export async function storeExternalRefund(
  deps: Pick<RefundsDeps, 'wallet' | 'outbox'>,
  tx: Transaction,
  payment: PaymentRow,
  { origin, amount, providerRefundId, reason, by }: ExternalRefund,
  at: number,
): Promise<RefundRow> {
  const [row] = await tx.db
    .insert(refundsTable)
    .values({
      id: uuidv7(),
      at,
      booking: payment.booking,
      code: payment.code,
      origin,
      source: 'card',
      payment: payment.id,
      provider: payment.provider,
      rider: payment.payer,
      rider_name: payment.payer_name,
      amount,
      currency: payment.currency,
      bearer: payment.used_for === 'booking' ? 'platform' : 'wallet',
      reason,
      state: 'pending',
      provider_refund_id: providerRefundId,
      before: payment.refunded,
      look_at: at + pollAfterMs,
      by_user: by,
    })
    .returning()
  if (row === undefined) throw new Error('insert returned no refund')
  await deps.wallet.append(tx, [refundRequested(refundOf(row))], {
    at,
    currency: row.currency,
    by,
    ...(reason !== '' && { note: reason }),
  })
  await deps.outbox.write(tx, [userChangedEvent(row.rider)])
  return row
}
