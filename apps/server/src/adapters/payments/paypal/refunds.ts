import {
  PaymentError,
  type RefundOrder,
  type RefundResult,
  type Reversal,
  type StartedPayment,
} from '../port.ts'
import { fromText, toText } from '../units.ts'
import { type CallPaypal, issueOf, refusalError } from './api.ts'
import { type PaypalRefund, paypalDecimals, paypalRefund, readOrder } from './orders.ts'

/** Refunds of captures, each found in its order by our id. */
export function paypalRefunds(ask: CallPaypal) {
  const all = async ({ providerRef }: StartedPayment): Promise<PaypalRefund[]> => {
    if (providerRef === null) return []
    const answer = await ask(`/v2/checkout/orders/${encodeURIComponent(providerRef)}`)
    if (answer.status !== 200) throw refusalError('the order', answer)
    return readOrder(answer).purchase_units[0]?.payments?.refunds ?? []
  }
  const earlier = async (payment: StartedPayment, id: string): Promise<PaypalRefund | undefined> =>
    (await all(payment)).find((one) => one.custom_id === id)
  return {
    async refund(payment: StartedPayment, order: RefundOrder): Promise<RefundResult> {
      if (payment.providerId === null) throw new PaymentError('nothing was captured', { permanent: true })
      // PayPal stores idempotency keys for only 45 days.
      const known = order.repeated ? await earlier(payment, order.id) : undefined
      if (known) return answerOf(known)
      const value = toText(order.amount, paypalDecimals(payment.currency) ?? 2)
      const answer = await ask(`/v2/payments/captures/${encodeURIComponent(payment.providerId)}/refund`, {
        method: 'POST',
        headers: { 'paypal-request-id': `refund-${order.id}`, prefer: 'return=representation' },
        body: {
          amount: { value, currency_code: payment.currency },
          custom_id: order.id,
          note_to_payer: order.reason.slice(0, 255),
        },
      })
      const read = paypalRefund.safeParse(answer.json)
      if (read.success) return answerOf(read.data)
      // Accepted with an unknown response: the refund may have been made.
      if (answer.status < 300)
        throw new PaymentError('paypal returned an unreadable refund', { permanent: false })
      return { state: 'failed', why: issueOf(answer) }
    },
    async refundState(
      payment: StartedPayment,
      { id, providerRefundId }: { id: string; providerRefundId: string | null },
    ): Promise<RefundResult> {
      if (providerRefundId === null) {
        const known = await earlier(payment, id)
        return known ? answerOf(known) : { state: 'failed', why: 'unknown refund' }
      }
      const answer = await ask(`/v2/payments/refunds/${encodeURIComponent(providerRefundId)}`)
      const read = paypalRefund.safeParse(answer.json)
      if (!read.success) throw refusalError('the refund', answer)
      return answerOf(read.data)
    },
    /** Returns refunds made by us and on PayPal's pages, including reversals. */
    async listReversals(payment: StartedPayment): Promise<Reversal[]> {
      return (await all(payment)).map((refund): Reversal => {
        const { id, amount, custom_id } = refund
        if (amount === undefined) throw new PaymentError('paypal returned no amount', { permanent: false })
        // A refund made on PayPal's pages may have the capture's id.
        const order = custom_id === undefined || custom_id === payment.reference ? null : custom_id
        const { state } = answerOf(refund)
        return { id, kind: 'refund', amount: fromText(amount.value), order, state }
      })
    },
  }
}

function answerOf({ id, status }: PaypalRefund): RefundResult {
  if (status === 'COMPLETED') return { state: 'done', providerRefundId: id }
  if (status === 'PENDING') return { state: 'pending', providerRefundId: id }
  return { state: 'failed', why: status }
}
