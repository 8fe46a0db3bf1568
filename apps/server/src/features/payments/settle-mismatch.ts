import type { AdminPayment } from '@hansom/contract/payments'
import { Refusal } from '@hansom/domain/error-keys'
import { maySettleToWallet } from '@hansom/domain/payments/payment'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { PaymentsDeps } from './deps.ts'
import { endAttempt } from './end-attempt.ts'
import { movePayment, readPayment } from './store/payments.ts'
import { adminPaymentView } from './view.ts'

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
