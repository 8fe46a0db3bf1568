import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { callProvider } from '../http.ts'
import {
  type Checkout,
  PaymentError,
  type PaymentProvider,
  type RefundOrder,
  type RefundResult,
  type ReversalReport,
  type StartedPayment,
} from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { fits, fromUnits, toText, toUnits } from '../units.ts'
import { foundByItn, type Itn, payfastHosts, type ResolveHost, readItn, sourceCheck } from './itn.ts'
import { callRest, type PayfastRest, queryRefund, queryTransaction } from './rest.ts'
import { formSignature } from './signature.ts'

export interface PayfastOptions {
  live: boolean
  merchantId: string
  merchantKey: string
  passphrase: string
  /** Defaults: the vendor's URLs. */
  url?: string | undefined
  apiUrl?: string | undefined
  /** Epoch ms, real time: REST requests include it. */
  now?: () => number
  resolve?: ResolveHost
}

/**
 * Card payments through Payfast (South Africa), in ZAR: a signed form to the hosted page, and a server-to-server
 * notification (ITN). The browser's redirect is unsigned and proves nothing.
 *
 * `readWebhook` does the checks that need no request: signature, sender's IP address, merchant. `verify` does the last
 * one: it asks Payfast to confirm the raw notification and only then trusts it. Without a notification it queries the
 * REST API by `pf_payment_id`, which only a notification contains: a payment whose notification never arrived stays
 * pending.
 *
 * Source: Payfast API documentation, "Custom integration", "Transaction query" and "Refunds"; payfast-php-sdk 1.1.6.
 *
 * Not verified with the vendor: that the code `cc` limits the page to cards (not sent: payers may choose another
 * method); the states of the REST query other than COMPLETE; whether it finds payments that are not by card; the
 * envelope around refund responses (read with and without). According to the vendor's SDK, refunds do not work in the
 * sandbox.
 */
export function payfastPayments(options: PayfastOptions): PaymentProvider {
  const { live, merchantId, passphrase, now = Date.now } = options
  const { url = `https://${live ? 'www' : 'sandbox'}.payfast.co.za`, apiUrl = 'https://api.payfast.co.za' } =
    options
  const rest: PayfastRest = { url: apiUrl, merchantId, passphrase, live, now }
  const isFromPayfast = sourceCheck(options.url ? [new URL(url).hostname] : payfastHosts, options.resolve)

  async function confirmed(itn: Itn, payment: StartedPayment): Promise<ReportedPayment> {
    if (itn.values.get('m_payment_id') !== payment.reference)
      throw new PaymentError('payfast: the notification is for a different payment', { permanent: true })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' }
    const question = { method: 'POST' as const, headers, body: itn.text }
    const { text } = await callProvider(`${url}/eng/query/validate`, question)
    if (text.trim() !== 'VALID')
      throw new PaymentError('payfast did not confirm the notification', { permanent: true })
    return foundByItn(itn, live)
  }

  return {
    name: 'payfast',
    live,
    hosts: { form: [new URL(url).origin] },
    accepts: (currency, amount) => amount > 0 && currency === 'ZAR' && fits(amount, 2),

    start: async (checkout) => {
      const fields = formFields(checkout, options)
      const signature = formSignature(fields, passphrase)
      const step = { kind: 'form' as const, action: `${url}/eng/process`, fields }
      return { providerRef: null, step: { ...step, fields: [...fields, ['signature', signature]] } }
    },

    readReturn: async () => ({ kind: 'back', event: null }),

    readWebhook: async ({ body, from, at }) => {
      const itn = readItn(body, passphrase)
      if (!itn) return { kind: 'refused', why: 'signature' }
      const { values } = itn
      if (values.get('merchant_id') !== merchantId) return { kind: 'refused', why: 'different merchant' }
      if (!(await isFromPayfast(from, at)))
        return { kind: 'refused', why: 'not sent from a payfast IP address' }
      const [providerId, reference] = [values.get('pf_payment_id'), values.get('m_payment_id')]
      if (!providerId || !reference) return { kind: 'refused', why: 'missing payment id' }
      const eventKey = `${providerId}:${values.get('payment_status') ?? ''}`
      return { kind: 'event', event: { eventKey, reference, providerRef: null, providerId } }
    },

    verify: async (payment, message) => {
      if (message) {
        const itn = readItn(message, passphrase)
        if (!itn) throw new PaymentError('payfast: invalid notification', { permanent: true })
        return confirmed(itn, payment)
      }
      if (!payment.providerId) return { state: 'pending' }
      const { m_payment_id, status, amount } = await queryTransaction(rest, payment.providerId)
      if (status === 'FAILED' || status === 'CANCELLED') return { state: 'failed' }
      if (status !== 'COMPLETE') return { state: 'pending' }
      const { providerId } = payment
      const found = {
        reference: m_payment_id,
        providerId,
        amount: fromUnits(amount, 2),
        currency: 'ZAR',
        live,
      }
      return { state: 'paid', ...found }
    },

    refund: (payment, order) => refund(rest, payment, order),
    // The sandbox does not support refunds.
    ...(live && { listReversals: ({ providerId }) => queryReversals(rest, providerId) }),
  }
}

/** In the documented order, which is also the signing order. Values are sent as signed: trimmed and non-empty. */
function formFields(checkout: Checkout, { merchantId, merchantKey }: PayfastOptions): [string, string][] {
  const { payer, returnUrl } = checkout
  const fields: [string, string][] = [
    ['merchant_id', merchantId],
    ['merchant_key', merchantKey],
    ['return_url', returnUrl],
    ['cancel_url', returnUrl],
    ['notify_url', checkout.webhookUrl],
    ['name_first', payer.firstName.slice(0, 100)],
    ['name_last', payer.lastName.slice(0, 100)],
    ['email_address', payer.email.length > 100 ? '' : payer.email],
    ['m_payment_id', checkout.reference],
    ['amount', toText(checkout.amount, 2)],
    ['item_name', checkout.description.slice(0, 100)],
  ]
  return fields
    .map(([name, value]): [string, string] => [name, value.trim()])
    .filter(([, value]) => value !== '' && value !== '0')
}

async function queryReversals(rest: PayfastRest, providerId: string | null): Promise<ReversalReport> {
  if (!providerId) return []
  const refundable = await queryRefund(rest, providerId)
  if ('refused' in refundable) throw new PaymentError(`payfast: ${refundable.refused}`, { permanent: true })
  return { total: fromUnits(refundable.amount_original - refundable.amount_available_for_refund, 2) }
}

async function refund(rest: PayfastRest, payment: StartedPayment, order: RefundOrder): Promise<RefundResult> {
  if (!payment.providerId) return { state: 'failed', why: 'payment id from payfast is not known yet' }
  const refundable = await queryRefund(rest, payment.providerId)
  if ('refused' in refundable) return { state: 'failed', why: `payfast: ${refundable.refused}` }
  const refunded = fromUnits(refundable.amount_original - refundable.amount_available_for_refund, 2)
  const position = refundPosition(order, refunded)
  if (position === 'done') return { state: 'done', providerRefundId: null }
  if (position === 'unclear') return unclearRefund(order, 'Payfast')
  if (refundable.status !== 'REFUNDABLE')
    return { state: 'failed', why: `payfast: ${refundable.errors?.[0]?.slice(0, 200) ?? refundable.status}` }
  const { method } = (order.whole ? refundable.refund_full : refundable.refund_partial) ?? {}
  if (method !== 'PAYMENT_SOURCE')
    return {
      state: 'failed',
      why: 'payfast can only refund this to a bank account: refund it in its dashboard',
    }
  const answer = await callRest(rest, `/refunds/${encodeURIComponent(payment.providerId)}`, {
    amount: toUnits(order.amount, 2),
    reason: order.reason.trim().slice(0, 255).padEnd(3, '.'),
    notify_buyer: 1,
    notify_merchant: 0,
  })
  if ('refused' in answer) return { state: 'failed', why: `payfast: ${answer.refused}` }
  return { state: 'done', providerRefundId: null }
}
