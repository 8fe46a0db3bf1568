import { PaymentError, type RefundAnswer, type RefundOrder, type StartedPayment } from '../port.ts'
import { toText } from '../units.ts'
import { type AskPaypal, issueOf, refused } from './api.ts'
import { paypalDecimals } from './currencies.ts'
import { type PaypalRefund, paypalRefund, readOrder } from './orders.ts'

/** Refunds of captures, each found again in its order by our own id, which it carries. */
export function paypalRefunds(ask: AskPaypal) {
  const earlier = async ({ providerRef }: StartedPayment, id: string): Promise<PaypalRefund | undefined> => {
    if (providerRef === null) return undefined
    const answer = await ask(`/v2/checkout/orders/${encodeURIComponent(providerRef)}`)
    if (answer.status !== 200) throw refused('the order', answer)
    return readOrder(answer).purchase_units[0]?.payments?.refunds.find((one) => one.custom_id === id)
  }
  return {
    async refund(payment: StartedPayment, order: RefundOrder): Promise<RefundAnswer> {
      if (payment.providerId === null) throw new PaymentError('nothing was captured', { permanent: true })
      // PayPal forgets idempotency keys after 45 days.
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
      // Taken, in words that nobody knows: it may have been given back.
      if (answer.status < 300) throw new PaymentError('paypal answers with no refund', { permanent: false })
      return { state: 'failed', why: issueOf(answer) }
    },
    async refundState(
      payment: StartedPayment,
      { id, providerRefundId }: { id: string; providerRefundId: string | null },
    ): Promise<RefundAnswer> {
      if (providerRefundId === null) {
        const known = await earlier(payment, id)
        return known ? answerOf(known) : { state: 'failed', why: 'no such refund' }
      }
      const answer = await ask(`/v2/payments/refunds/${encodeURIComponent(providerRefundId)}`)
      const read = paypalRefund.safeParse(answer.json)
      if (!read.success) throw refused('the refund', answer)
      return answerOf(read.data)
    },
  }
}

function answerOf({ id, status }: PaypalRefund): RefundAnswer {
  if (status === 'COMPLETED') return { state: 'done', providerRefundId: id }
  if (status === 'PENDING') return { state: 'pending', providerRefundId: id }
  return { state: 'failed', why: status }
}
