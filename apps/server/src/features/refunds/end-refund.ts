import type { WalletNotice } from '@hansom/domain/wallet/notices'
import { moneyText } from '@hansom/domain/money/amount'
import { endedRefundStates } from '@hansom/domain/wallet/refund'
import { type Refund, refundConfirmed, refundFailed } from '@hansom/domain/wallet/refund-entries'
import { and, eq, notInArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/database/transaction.ts'
import { paymentsTable } from '../payments/table.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { RefundsDeps } from './deps.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** The outcome of a refund. */
export interface RefundEnd {
  state: 'confirmed' | 'failed'
  failure: string | null
  providerRefundId?: string | null
  /** The admin who decided; null if the provider did. */
  by: string | null
}

/** The refund in the form that ledger entries take. */
export function refundOf({ id, booking, amount, bearer, driver, rider }: RefundRow): Refund {
  if (bearer === 'driver' && driver !== null) return { id, booking, amount, bearer: { driver } }
  return { id, booking, amount, bearer: bearer === 'wallet' ? { wallet: rider } : { platform: true } }
}

/** Ends a refund once: the money arrives or returns to its bearer. Null if it had already ended. */
export async function endRefund(
  deps: Pick<RefundsDeps, 'wallet' | 'users' | 'outbox'>,
  tx: Transaction,
  id: string,
  { state, failure, providerRefundId, by }: RefundEnd,
  { settings, at }: { settings: CurrentSettings; at: number },
): Promise<RefundRow | null> {
  const [row] = await tx.db
    .update(refundsTable)
    .set({ state, failure, ended_at: at, ...(providerRefundId && { provider_refund_id: providerRefundId }) })
    .where(and(eq(refundsTable.id, id), notInArray(refundsTable.state, [...endedRefundStates])))
    .returning()
  if (row === undefined) return null
  const target = row.provider === null ? { rider: row.rider } : { provider: row.provider }
  const entry = state === 'confirmed' ? refundConfirmed(refundOf(row), target) : refundFailed(refundOf(row))
  await deps.wallet.append(tx, [entry], { at, currency: row.currency, by })
  if (state === 'confirmed' && row.payment !== null) {
    await tx.db
      .update(paymentsTable)
      .set({ refunded: sql`least(${paymentsTable.amount}, ${paymentsTable.refunded} + ${row.amount})` })
      .where(eq(paymentsTable.id, row.payment))
  }
  // For refunds started elsewhere, the provider or the bank notifies the rider.
  if (state === 'confirmed' && row.origin === 'office') await notifyRider(deps, tx, row, { settings, at })
  const changed = [row.rider, ...(row.driver === null ? [] : [row.driver])]
  await deps.outbox.write(
    tx,
    changed.map((one) => userChangedEvent(one)),
  )
  return row
}

async function notifyRider(
  { users }: Pick<RefundsDeps, 'users'>,
  tx: Transaction,
  row: RefundRow,
  { settings, at }: { settings: CurrentSettings; at: number },
): Promise<void> {
  const notice: WalletNotice = row.provider === null ? 'refund_to_wallet' : 'refund_to_card'
  await users.notify(tx, [
    {
      user_id: row.rider,
      at,
      title: `notify.${notice}.title`,
      msg: `notify.${notice}.msg`,
      params: {
        amount: moneyText(row.amount, settings.decimal, settings),
        booking: row.code,
        reason: row.reason,
      },
      screen: 'wallet',
      dedupe: `refund:${row.id}`,
    },
  ])
}
