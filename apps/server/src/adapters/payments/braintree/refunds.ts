import type { BraintreeGateway, Transaction } from 'braintree'
import type { RefundOrder, RefundResult, Reversal, StartedPayment } from '../port.ts'
import { fromText, toText } from '../units.ts'
import { exponentOf, gatewayError, isNotFound } from './gateway.ts'

const settled = ['settled', 'settling']
const waiting = [
  'submitted_for_settlement',
  'settlement_pending',
  'settlement_confirmed',
  'authorized',
  'authorizing',
]

/** The state of a refund, which is a transaction in Braintree. */
export function refundResultOf({ id, status }: Pick<Transaction, 'id' | 'status'>): RefundResult {
  if (settled.includes(status)) return { state: 'done', providerRefundId: id }
  if (waiting.includes(status)) return { state: 'pending', providerRefundId: id }
  return { state: 'failed', why: `braintree: ${status}` }
}

/**
 * Refunds a payment. An unsettled transaction can only be voided completely; a settled one is refunded in full or in
 * part. A repeated order is found by our id among the transaction's refunds.
 */
export async function refund(
  gateway: BraintreeGateway,
  payment: StartedPayment,
  order: RefundOrder,
): Promise<RefundResult> {
  if (payment.providerId === null) return { state: 'failed', why: 'braintree: no transaction' }
  try {
    const paid = await gateway.transaction.find(payment.providerId)
    for (const id of paid.refundIds ?? []) {
      const made = await gateway.transaction.find(id)
      if (made.orderId === order.id) return refundResultOf(made)
    }
    if (paid.status === 'voided') {
      return order.whole && order.repeated
        ? { state: 'done', providerRefundId: paid.id }
        : { state: 'failed', why: 'braintree: voided' }
    }
    if (settled.includes(paid.status)) return await refundSettled(gateway, paid.id, payment, order)
    if (!order.whole) {
      return {
        state: 'failed',
        why: 'braintree allows partial refunds only after the payment has settled (one or two days)',
      }
    }
    const voided = await gateway.transaction.void(paid.id)
    return voided.success
      ? { state: 'done', providerRefundId: paid.id }
      : { state: 'failed', why: 'braintree refused to void this payment' }
  } catch (cause) {
    if (isNotFound(cause)) return { state: 'failed', why: 'unknown braintree transaction' }
    throw gatewayError(cause)
  }
}

async function refundSettled(
  gateway: BraintreeGateway,
  id: string,
  { currency }: StartedPayment,
  order: RefundOrder,
): Promise<RefundResult> {
  // The client forwards an object unchanged, but its types only allow the amount.
  const details = {
    amount: toText(order.amount, exponentOf(currency)),
    order_id: order.id,
  } as unknown as string
  const made = await gateway.transaction.refund(id, details)
  return made.success && made.transaction
    ? refundResultOf(made.transaction)
    : { state: 'failed', why: 'braintree refused to refund this payment' }
}

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
