import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { PaymentError, type PaymentProvider, type StartedPayment } from '../port.ts'
import { fits } from '../units.ts'
import { issueOf, paypalApi, refusalError } from './api.ts'
import { paypalCertificates } from './certificates.ts'
import type { PaypalOptions } from './options.ts'
import { foundIn, isCaptured, orderOf, type PaypalOrder, paypalDecimals, readOrder } from './orders.ts'
import { paypalRefunds } from './refunds.ts'
import { readPaypalEvent } from './webhook.ts'

/** Errors after which this attempt can no longer be captured; the payer has to start another one. */
const declined = [
  'INSTRUMENT_DECLINED',
  'PAYER_CANNOT_PAY',
  'TRANSACTION_REFUSED',
  'PAYER_ACCOUNT_RESTRICTED',
]

/**
 * PayPal over plain HTTPS: an order, PayPal's page, and a capture by us after the payer's approval; without the capture
 * no money moves. An approved order whose payer never returned is pending with `complete`. Sources:
 * openapi/checkout_orders_v2.json, payments_payment_v2.json and notifications_webhooks_v1.json of
 * paypal/paypal-rest-api-specifications, the pages "Currency codes" and "Webhook event names".
 *
 * Not verified with the vendor: how long an unapproved order can be queried (an unknown one counts as failed), whether
 * a reversal is listed among an order's refunds, whether an account may accept BRL, CNY and MYR, and the minimum
 * amounts.
 */
export function paypalPayments({ live, webhookId, ...account }: PaypalOptions): PaymentProvider {
  const ask = paypalApi(account)
  const findKey = paypalCertificates({ live, url: account.url })
  const pages = account.url.includes('paypal.com')
    ? `https://www.${live ? '' : 'sandbox.'}paypal.com`
    : account.url
  const orderPath = (id: string) => `/v2/checkout/orders/${encodeURIComponent(id)}`

  const orderAt = async (id: string): Promise<PaypalOrder | null> => {
    const answer = await ask(orderPath(id))
    if (answer.status === 404) return null
    if (answer.status !== 200) throw refusalError('the order', answer)
    return readOrder(answer)
  }

  const verify = async ({ providerRef }: StartedPayment): Promise<ReportedPayment> => {
    // Without an order, nothing can be captured.
    if (providerRef === null) return { state: 'pending' }
    const order = await orderAt(providerRef)
    return order ? foundIn(order, live) : { state: 'failed' }
  }

  const capture = async (payment: StartedPayment): Promise<ReportedPayment> => {
    if (payment.providerRef === null) return { state: 'pending' }
    const answer = await ask(`${orderPath(payment.providerRef)}/capture`, {
      method: 'POST',
      headers: { 'paypal-request-id': `capture-${payment.reference}`, prefer: 'return=representation' },
      body: {},
    })
    if (answer.status < 300) return foundIn(readOrder(answer), live)
    return declined.includes(issueOf(answer)) ? { state: 'failed' } : verify(payment)
  }

  return {
    name: 'paypal',
    live,
    hosts: { form: [pages] },
    accepts(currency, amount) {
      const decimals = paypalDecimals(currency)
      return decimals !== undefined && amount > 0 && fits(amount, decimals)
    },
    async start(checkout) {
      const answer = await ask('/v2/checkout/orders', {
        method: 'POST',
        headers: { 'paypal-request-id': `order-${checkout.reference}`, prefer: 'return=representation' },
        body: orderOf(checkout),
      })
      if (answer.status >= 300) throw refusalError('the order', answer)
      const { id, links } = readOrder(answer)
      const url = (
        links.find((one) => one.rel === 'payer-action') ?? links.find((one) => one.rel === 'approve')
      )?.href
      if (url === undefined) throw new PaymentError('paypal returned no page', { permanent: true })
      return { providerRef: id, step: { kind: 'redirect', url } }
    },
    /** Captures an approved order. A payer who cancelled has not paid, and nothing is captured. */
    async complete(payment, { cancelled }) {
      if (cancelled === undefined) return { kind: 'found', found: await capture(payment) }
      const order = payment.providerRef === null ? null : await orderAt(payment.providerRef)
      const found: ReportedPayment = order && isCaptured(order) ? foundIn(order, live) : { state: 'failed' }
      return { kind: 'found', found }
    },
    async readReturn({ query }, { providerRef }) {
      const order = query.get('token')
      if (order !== null && providerRef !== null && order !== providerRef) {
        return { kind: 'refused', why: 'different order' }
      }
      const complete: Record<string, string> = query.has('cancelled') ? { cancelled: '1' } : {}
      return { kind: 'back', event: null, complete }
    },
    readWebhook: (message) => readPaypalEvent(message, { findKey, webhookId }),
    verify,
    ...paypalRefunds(ask),
  }
}
