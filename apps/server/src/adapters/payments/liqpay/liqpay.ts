import { callProvider } from '../http.ts'
import {
  type IncomingMessage,
  type MessageReading,
  PaymentError,
  type PaymentProvider,
  type StartedPayment,
} from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { fits, toText } from '../units.ts'
import type { LiqpayOptions } from './options.ts'
import {
  foundBy,
  type LiqpayPayment,
  liqpayError,
  liqpayPayment,
  readSigned,
  refundedTotal,
  signedRequest,
} from './response.ts'

type Answer = { response: LiqpayPayment } | { code: string }

const currencies = ['UAH', 'USD', 'EUR']

/**
 * Card payments through LiqPay (Ukraine): a signed form to the hosted page, a signed webhook, and status lookup by our
 * order id. Source: LiqPay documentation, "Checkout", "Callback", "Payment status" and "Refund", protocol version 3.
 *
 * Not verified with the vendor: the test mode (we send the older `sandbox: 1`; a shop's test keys may make it
 * unnecessary); how the browser returns to `result_url` (a signed POST or a plain GET: both are read); the error code
 * of an unknown order (any code ending in `not_found` is pending); `refund_amount` in the response to `status` (after a
 * lost response, a refund is only repeated if that field, or its absence on the first attempt, allows it).
 */
export function liqpayPayments(options: LiqpayOptions): PaymentProvider {
  const { url = 'https://www.liqpay.ua', publicKey, privateKey, test } = options

  async function ask(action: 'status' | 'refund', content: Record<string, unknown>): Promise<Answer> {
    const request = { version: 3, public_key: publicKey, action, ...content }
    const body = new URLSearchParams(signedRequest(request, privateKey))
    const { json } = await callProvider(`${url}/api/request`, { method: 'POST', body })
    const trouble = liqpayError.safeParse(json).data
    const response = liqpayPayment.safeParse(json).data
    if (response && trouble?.result !== 'error') return { response }
    if (trouble?.err_code) return { code: trouble.err_code.replace(/[^\w-]/g, '').slice(0, 40) }
    throw new PaymentError('unreadable response from liqpay', { permanent: false })
  }

  /** The status of a payment; null if LiqPay does not know the order because the payer has not opened the page yet. */
  async function status(payment: StartedPayment): Promise<LiqpayPayment | null> {
    const answer = await ask('status', { order_id: payment.reference })
    if ('response' in answer) return answer.response
    if (answer.code.endsWith('not_found')) return null
    throw new PaymentError(`liqpay returned ${answer.code}`, { permanent: true })
  }

  function read(message: IncomingMessage): MessageReading {
    const content = readSigned(new URLSearchParams(message.body.toString('utf8')), privateKey)
    if (content === null) return { kind: 'refused', why: 'signature' }
    const response = liqpayPayment.safeParse(content)
    if (!response.success) return { kind: 'refused', why: 'unknown content' }
    const { public_key, order_id, payment_id, status } = response.data
    if (public_key !== publicKey) return { kind: 'refused', why: 'different merchant' }
    const attempt = { reference: order_id, providerRef: null, providerId: payment_id ?? null }
    // Partial refunds each send a webhook.
    const back = refundedTotal(response.data)
    const goesBack = back !== null && back > 0
    const eventKey = `${payment_id ?? order_id}:${status}${goesBack ? `:${back}` : ''}`
    return { kind: 'event', event: { eventKey, ...attempt, ...(goesBack && { isReversal: goesBack }) } }
  }

  return {
    name: 'liqpay',
    live: !test,
    hosts: { form: [new URL(url).origin] },
    accepts: (currency, amount) => amount > 0 && currencies.includes(currency) && fits(amount, 2),

    start: async (checkout) => {
      const { data, signature } = signedRequest(
        {
          version: 3,
          public_key: publicKey,
          action: 'pay',
          amount: Number(toText(checkout.amount, 2)),
          currency: checkout.currency,
          description: checkout.description,
          order_id: checkout.reference,
          result_url: checkout.returnUrl,
          server_url: checkout.webhookUrl,
          language: checkout.locale.startsWith('uk') ? 'uk' : 'en',
          ...(test ? { sandbox: 1 } : {}),
        },
        privateKey,
      )
      const fields: [string, string][] = [
        ['data', data],
        ['signature', signature],
      ]
      return { providerRef: null, step: { kind: 'form', action: `${url}/api/3/checkout`, fields } }
    },

    readReturn: async (message, payment) => {
      if (!new URLSearchParams(message.body.toString('utf8')).has('data'))
        return { kind: 'back', event: null }
      const reading = read(message)
      if (reading.kind === 'refused') return reading
      if (reading.kind !== 'event') return { kind: 'back', event: null }
      if (reading.event.reference !== payment.reference) return { kind: 'refused', why: 'different payment' }
      return { kind: 'back', event: reading.event }
    },
    readWebhook: async (message) => read(message),

    verify: async (payment) => {
      const response = await status(payment)
      return response ? foundBy(response, test) : { state: 'pending' }
    },

    refund: async (payment, order) => {
      const response = await status(payment)
      if (!response) return { state: 'failed', why: 'payment unknown to liqpay' }
      const position = refundPosition(order, refundedTotal(response))
      if (position === 'unclear') return unclearRefund(order, 'LiqPay')
      if (position === 'done') return { state: 'done', providerRefundId: null }
      const amount = Number(toText(order.amount, 2))
      const answer = await ask('refund', { order_id: payment.reference, amount })
      if ('code' in answer) return { state: 'failed', why: `liqpay: ${answer.code}` }
      const { status: state } = answer.response
      if (state === 'failure' || state === 'error') return { state: 'failed', why: `liqpay: ${state}` }
      return { state: state === 'reversed' ? 'done' : 'pending', providerRefundId: null }
    },
    refundState: async (payment, refund) => {
      const response = await status(payment)
      const total = response ? refundedTotal(response) : null
      const isDone = total !== null && total >= refund.refundedBefore + refund.amount
      return { state: isDone ? 'done' : 'pending', providerRefundId: null }
    },
    listReversals: async (payment) => {
      const response = await status(payment)
      return { total: (response && refundedTotal(response)) ?? 0 }
    },
  }
}
