import type { OfficePayment } from '@hansom/contract/payments'
import { Refusal } from '@hansom/domain/error-keys'
import { maySettleToWallet } from '@hansom/domain/payments/payment'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { PaymentsDeps } from './deps.ts'
import { endAttempt } from './end-attempt.ts'
import { movePayment, readPayment } from './store/payments.ts'
import { officeView } from './view.ts'

/** `wallet`: what came is taken as it came. `given_back`: it went back in the provider's own pages. */
export type MismatchOutcome = 'wallet' | 'given_back'

/**
 * An admin has looked at what a provider reports instead of what was asked for. What is taken is used as a payment of that
 * amount: for the payer's wallet, since its order is due another one. Once: a second word finds nothing to settle. Throws
 * not_found, wrong_status where nothing is to be settled, or not so.
 */
export async function settleMismatch(
  deps: PaymentsDeps,
  by: string,
  id: string,
  outcome: MismatchOutcome,
): Promise<OfficePayment> {
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
  // What follows from it; should the server fall here, the reconciliation takes it up.
  await endAttempt(deps, settled)
  const row = await readPayment(database.db, id)
  if (row === null) throw new Refusal('not_found')
  return officeView(row)
}
