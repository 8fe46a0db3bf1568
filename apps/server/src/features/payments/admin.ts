import type { AdminPayment } from '@hansom/contract/payments'
import { paymentsTableSpec } from '@hansom/contract/payments-table'
import { Refusal } from '@hansom/domain/error-keys'
import { maySettleToWallet } from '@hansom/domain/payments/payment'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { TableReader } from '../../platform/tables/read-table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import { adminPaymentView, type PaymentsDeps } from './attempt.ts'
import { endAttempt } from './confirm-payment.ts'
import { movePayment, readPayment } from './store.ts'

/** Card payment attempts as a file. */
export const paymentsExport = (payments: Pick<TableReader<AdminPayment>, 'all'>): TableExport =>
  tableExport<AdminPayment>({
    name: 'payments',
    spec: paymentsTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => payments.all(query),
    columns: [
      { title: 'refunds.pay_at', kind: 'time', value: (row) => row.created_at },
      { title: 'refunds.pay_reference', kind: 'text', value: (row) => row.reference },
      { title: 'refunds.pay_payer', kind: 'text', value: (row) => row.payer_name },
      { title: 'refunds.amount', kind: 'amount', value: (row) => row.amount },
      { title: 'exports.currency', kind: 'text', value: (row) => row.currency },
      { title: 'refunds.provider', kind: { words: 'payments.provider_' }, value: (row) => row.provider },
      { title: 'refunds.pay_state', kind: { words: 'refunds.pay_state_' }, value: (row) => row.state },
      { title: 'refunds.pay_used', kind: { words: 'refunds.pay_use_' }, value: (row) => row.used_for },
      { title: 'refunds.pay_refunded', kind: 'amount', value: (row) => row.refunded },
      { title: 'refunds.pay_provider_id', kind: 'text', value: (row) => row.provider_id },
      { title: 'refunds.pay_differs', kind: 'text', value: (row) => row.differs.join(' ') || null },
    ],
  })

/** `wallet`: accept the captured amount. `given_back`: it was refunded on the provider's pages. */
export type MismatchOutcome = 'wallet' | 'given_back'

/**
 * Settles a payment that the provider reports differently. A captured amount goes to the payer's wallet, since the
 * order is for another amount. A second call finds nothing to settle. Throws not_found, and wrong_status if there is no
 * mismatch or this outcome does not fit.
 */
export async function settleMismatch(
  deps: PaymentsDeps,
  by: string,
  id: string,
  outcome: MismatchOutcome,
): Promise<AdminPayment> {
  const { database, clock } = deps
  const at = clock.now()
  const settled = await database.withTransaction(async (tx) => {
    const before = await readPayment(tx.db, id)
    if (before === null) throw new Refusal('not_found')
    const { state, found, differs } = before
    if (state !== 'mismatch') throw new Refusal('wrong_status')
    if (outcome === 'wallet' && (found === null || !maySettleToWallet(differs))) {
      throw new Refusal('wrong_status')
    }
    const after =
      outcome === 'wallet' && found !== null
        ? await movePayment(tx.db, id, 'paid', {
            amount: found.amount,
            provider_id: found.providerId,
            paid_at: at,
            failure: null,
          })
        : await movePayment(tx.db, id, 'failed', { failure: 'refunded' })
    if (after === null) throw new Refusal('wrong_status')
    await writeAudit(tx, {
      by,
      at,
      action: 'refunds.settlePayment',
      kind: 'refund',
      subject: id,
      label: before.reference,
      person: before.payer,
      before: { amount: before.amount, state },
      after: { amount: after.amount, state: after.state },
    })
    return after
  })
  // If the server crashes here, reconciliation closes the attempt.
  await endAttempt(deps, settled)
  const row = await readPayment(database.db, id)
  if (row === null) throw new Refusal('not_found')
  return adminPaymentView(row)
}
