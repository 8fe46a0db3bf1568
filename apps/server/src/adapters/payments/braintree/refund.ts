import type { BraintreeGateway, Transaction } from 'braintree'
import type { RefundAnswer, RefundOrder, StartedPayment } from '../port.ts'
import { toText } from '../units.ts'
import { gatewayError, isNotFound } from './gateway.ts'
import { exponentOf } from './word.ts'

const settled = ['settled', 'settling']
const waiting = [
  'submitted_for_settlement',
  'settlement_pending',
  'settlement_confirmed',
  'authorized',
  'authorizing',
]

/** What became of a refund, which is a transaction of its own. */
export function refundAnswer({ id, status }: Pick<Transaction, 'id' | 'status'>): RefundAnswer {
  if (settled.includes(status)) return { state: 'done', providerRefundId: id }
  if (waiting.includes(status)) return { state: 'pending', providerRefundId: id }
  return { state: 'failed', why: `braintree: ${status}` }
}

/**
 * Gives money back. Before a transaction settles it can only be voided, as a whole; afterwards it is refunded, in full or
 * in part. An order that was made before is found again among the refunds of the transaction, by our id.
 */
export async function refund(
  gateway: BraintreeGateway,
  payment: StartedPayment,
  order: RefundOrder,
): Promise<RefundAnswer> {
  if (payment.providerId === null) return { state: 'failed', why: 'braintree: no transaction' }
  try {
    const paid = await gateway.transaction.find(payment.providerId)
    for (const id of paid.refundIds ?? []) {
      const made = await gateway.transaction.find(id)
      if (made.orderId === order.id) return refundAnswer(made)
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
        why: 'braintree gives back a part only once the payment has settled, in a day or two',
      }
    }
    const voided = await gateway.transaction.void(paid.id)
    return voided.success
      ? { state: 'done', providerRefundId: paid.id }
      : { state: 'failed', why: 'braintree does not void this payment' }
  } catch (cause) {
    if (isNotFound(cause)) return { state: 'failed', why: 'braintree does not know the transaction' }
    throw gatewayError(cause)
  }
}

async function refundSettled(
  gateway: BraintreeGateway,
  id: string,
  { currency }: StartedPayment,
  order: RefundOrder,
): Promise<RefundAnswer> {
  // The client sends an object as it is; its types only know the amount alone.
  const details = {
    amount: toText(order.amount, exponentOf(currency)),
    order_id: order.id,
  } as unknown as string
  const made = await gateway.transaction.refund(id, details)
  return made.success && made.transaction
    ? refundAnswer(made.transaction)
    : { state: 'failed', why: 'braintree does not refund this payment' }
}
