import type { RefundView } from '@hansom/contract/refunds'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import type { RefundOrigin } from '@hansom/domain/wallet/refund'
import { disputeFee, refundRequested } from '@hansom/domain/wallet/refund-entries'
import { isPayable } from '@hansom/domain/wallet/withdraw'
import { and, eq, ne, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import { type PaymentRow, paymentsTable } from '../payments/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { endRefund, type RefundsDeps, readRefund, refundOf, refundView } from './store.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** Returned money that an admin found on the provider's pages. */
export interface ExternalRefundInput extends Pick<ExternalRefund, 'origin' | 'amount' | 'reason'> {
  payment: string
  fee: Amount
}

/**
 * Records money returned by the provider without a webhook. Refunds are final; chargebacks are pending. Throws
 * not_found, wrong_status, no_details_error, reason_needed, refund_too_much, idempotency_mismatch.
 */
export async function recordExternalRefund(
  deps: RefundsDeps,
  by: string,
  seen: ExternalRefundInput,
  key: string | null,
): Promise<RefundView> {
  const settings = await deps.settings.current()
  const at = deps.clock.now()
  const { payment: id, origin, amount, fee, reason } = seen
  refuseBadInput(seen, settings)
  return deps.database.withTransaction(async (tx) => {
    const once = { user: by, command: 'refunds.record', key, body: seen, at }
    const made = await idempotent(tx, once, async () => {
      const [payment] = await tx.db
        .select()
        .from(paymentsTable)
        .where(eq(paymentsTable.id, id))
        .for('no key update')
      if (payment === undefined) throw new Refusal('not_found')
      if (payment.used_for === null) throw new Refusal('wrong_status')
      const [gone] = await tx.db
        .select({ sum: sql<number>`coalesce(sum(${refundsTable.amount}), 0)::bigint`.mapWith(Number) })
        .from(refundsTable)
        .where(and(eq(refundsTable.payment, id), ne(refundsTable.state, 'failed')))
      if (amount > payment.amount - (gone?.sum ?? 0)) throw refused('refund_too_much', 'amount')
      const returned = { origin, amount, providerRefundId: null, reason, by }
      const row = await storeExternalRefund(deps, tx, payment, returned, at)
      await updateDisputeFee(deps, tx, row, fee, { at, by })
      if (origin === 'provider') {
        await endRefund(deps, tx, row.id, { state: 'confirmed', failure: null, by }, { settings, at })
      }
      await writeAudit(tx, {
        by,
        at,
        action: 'refunds.record',
        kind: 'refund',
        subject: row.id,
        label: row.code,
        person: row.rider,
        before: null,
        after: refundView(await readRefund(tx.db, row.id)),
      })
      return row.id
    })
    return refundView(await readRefund(tx.db, made))
  })
}

/** Sets the provider's current dispute fee. Throws not_found, wrong_status, no_details_error. */
export async function setDisputeFee(
  deps: RefundsDeps,
  by: string,
  { id, fee }: { id: string; fee: Amount },
): Promise<RefundView> {
  const settings = await deps.settings.current()
  const at = deps.clock.now()
  if (fee !== 0 && !isPayable(fee, settings)) throw refused('no_details_error', 'fee')
  return deps.database.withTransaction(async (tx) => {
    const before = await readRefund(tx.db, id)
    if (before.origin !== 'chargeback') throw new Refusal('wrong_status')
    const row = await updateDisputeFee(deps, tx, before, fee, { at, by })
    if (row === null) return refundView(await readRefund(tx.db, id))
    await writeAudit(tx, {
      by,
      at,
      action: 'refunds.setFee',
      kind: 'refund',
      subject: id,
      label: row.code,
      person: row.rider,
      before: refundView(before),
      after: refundView(row),
    })
    return refundView(row)
  })
}

function refuseBadInput(
  { amount, fee, origin, reason }: ExternalRefundInput,
  settings: { decimal: number },
): void {
  if (!isPayable(amount, settings)) throw refused('no_details_error', 'amount')
  const mayCost = origin === 'chargeback' && isPayable(fee, settings)
  if (fee !== 0 && !mayCost) throw refused('no_details_error', 'fee')
  if (reason === '') throw refused('reason_needed', 'reason')
}

const refused = (key: 'no_details_error' | 'refund_too_much' | 'reason_needed', field: string) =>
  new Refusal(key, { fields: [{ field, error: key }] })

/** A bank takes weeks: poll the state in case its message is lost. */
const pollAfterMs = 6 * 3_600_000

/** Money returned through the provider without an admin's refund. */
interface ExternalRefund {
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
