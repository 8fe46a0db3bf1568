import type { RefundView } from '@hansom/contract/refunds'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { isPayable } from '@hansom/domain/wallet/withdraw'
import { and, eq, ne, sql } from 'drizzle-orm'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { idempotent } from '../../platform/outbox/idempotent.ts'
import { paymentsTable } from '../payments/table.ts'
import type { RefundsDeps } from './deps.ts'
import { endRefund } from './end-refund.ts'
import { storeExternalRefund, type ExternalRefund } from './store-external-refund.ts'
import { updateDisputeFee } from './update-dispute-fee.ts'
import { readRefund, refundView } from './read-refunds.ts'
import { refundsTable } from './table.ts'

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
