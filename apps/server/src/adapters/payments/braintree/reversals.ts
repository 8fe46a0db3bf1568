import type { BraintreeGateway } from 'braintree'
import type { Reversal, StartedPayment } from '../port.ts'
import { fromText } from '../units.ts'
import { gatewayError, isNotFound } from './gateway.ts'
import { refundResultOf } from './refund.ts'

/** States of closed disputes; all others are open. */
const disputeStates: Readonly<Record<string, Reversal['state']>> = {
  lost: 'done',
  accepted: 'done',
  auto_accepted: 'done',
  expired: 'done',
  won: 'failed',
}

/** Refunds (ours and those made in the control panel), voids and chargebacks. */
export async function listReversals(gateway: BraintreeGateway, payment: StartedPayment): Promise<Reversal[]> {
  if (payment.providerId === null) return []
  try {
    const paid = await gateway.transaction.find(payment.providerId)
    const back: Reversal[] = []
    for (const id of paid.refundIds ?? []) {
      const made = await gateway.transaction.find(id)
      const { state } = refundResultOf(made)
      // A refund made in the control panel has the sale's order id.
      const order = made.orderId && made.orderId !== payment.reference ? made.orderId : null
      back.push({ id, kind: 'refund', amount: fromText(made.amount), order, state })
    }
    if (paid.status === 'voided') {
      back.push({ id: paid.id, kind: 'refund', amount: fromText(paid.amount), order: null, state: 'done' })
    }
    for (const { id, kind, status, amountDisputed } of paid.disputes ?? []) {
      // A retrieval moves no money.
      if (kind.toLowerCase() === 'retrieval') continue
      const state = disputeStates[status.toLowerCase()] ?? 'pending'
      back.push({ id, kind: 'chargeback', amount: fromText(amountDisputed), order: null, state })
    }
    return back
  } catch (cause) {
    if (isNotFound(cause)) return []
    throw gatewayError(cause)
  }
}
