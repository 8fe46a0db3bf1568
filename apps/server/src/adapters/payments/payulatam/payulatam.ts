import { createHash, createHmac } from 'node:crypto'
import { timingSafeEqualText } from '../http.ts'
import {
  type Checkout,
  PaymentError,
  type PaymentProvider,
  type RefundOrder,
  type RefundResult,
  type StartedPayment,
} from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { fits, fromText, toText } from '../units.ts'
import { captureOf, foundIn, type PayuCountry, paidOrder, payuCurrencies, refundsOf } from './order.ts'
import { ordersOf, type PayuService, submitRefund } from './service.ts'

export interface PayuOptions extends PayuSecrets {
  live: boolean
  apiLogin: string
  merchantId: string
  /** The account id per country. */
  accounts: Partial<Record<PayuCountry, string | undefined>>
  /** Defaults: the vendor's URLs. */
  url?: string | undefined
  apiUrl?: string | undefined
}

/**
 * Card payments through PayU Latam: a signed form to the hosted page, a signed server-to-server confirmation, and the
 * Queries API by our reference. The browser's redirect is not trusted because its rounding rule is unknown. PayU
 * approves refunds manually within one to three days. Source: PayU Latam documentation, "Payment Form", "Confirmation
 * Page", "Queries API", "Voids and Refunds API".
 *
 * Not verified with the vendor: which payer fields an account requires (we send the short set of the vendor's form);
 * that a confirmation is signed with the form's algorithm; a confirmation's value without decimals (read as with ".0");
 * the decimals of CLP (none are sent); accounts other than Panama's for USD; `type` and `isTest` in responses of the
 * Queries API.
 */
export function payulatamPayments(options: PayuOptions): PaymentProvider {
  const { live, merchantId, accounts } = options
  const sandbox = live ? '' : 'sandbox.'
  const { url = `https://${sandbox}checkout.payulatam.com`, apiUrl = `https://${sandbox}api.payulatam.com` } =
    options
  const { apiLogin, apiKey } = options
  const service: PayuService = { url: apiUrl, live, apiLogin, apiKey }
  const termsOf = (currency: string) => {
    const known = payuCurrencies[currency]
    const account = known && accounts[known.country]
    return known && account ? { account, decimals: known.decimals } : null
  }

  return {
    name: 'payulatam',
    live,
    hosts: { form: [new URL(url).origin] },
    accepts: (currency, amount) => {
      const terms = termsOf(currency)
      return terms !== null && amount > 0 && fits(amount, terms.decimals)
    },

    start: async (checkout) => {
      const terms = termsOf(checkout.currency)
      if (!terms) throw new PaymentError('no payulatam account for this currency', { permanent: true })
      const fields = formFields(checkout, options, terms.account, toText(checkout.amount, terms.decimals))
      return { providerRef: null, step: { kind: 'form', action: `${url}/ppp-web-gateway-payu/`, fields } }
    },

    readReturn: async () => ({ kind: 'back', event: null }),

    readWebhook: async ({ body }) => {
      const form = new URLSearchParams(body.toString('utf8'))
      if (!isSignedConfirmation(form, options)) return { kind: 'refused', why: 'signature' }
      if (form.get('merchant_id') !== merchantId) return { kind: 'refused', why: 'different merchant' }
      const [reference, transaction] = [form.get('reference_sale'), form.get('transaction_id')]
      if (!reference) return { kind: 'refused', why: 'missing payment id' }
      const eventKey = `${transaction ?? reference}:${form.get('state_pol')}`
      // The transaction id is not signed: `verify` looks it up.
      return { kind: 'event', event: { eventKey, reference, providerRef: null, providerId: null } }
    },

    verify: async ({ reference }) => foundIn(await ordersOf(service, reference), live),

    refund: (payment, order) => refund(service, payment, order),
    refundState: async (payment, { providerRefundId }) => {
      const order = paidOrder(await ordersOf(service, payment.reference))
      const one = order && refundsOf(order).find(({ id }) => id === providerRefundId)
      if (one) return answerOf(one.state, one.id, '')
      return { state: order?.status === 'REFUNDED' ? 'done' : 'pending', providerRefundId }
    },
    listReversals: async ({ reference }) => {
      const order = paidOrder(await ordersOf(service, reference))
      return (order ? refundsOf(order) : []).map(({ id, amount, state }) => {
        const { state: now } = answerOf(state, id, '')
        return { id, kind: 'refund', amount, order: null, state: now }
      })
    },
  }
}

function formFields(
  { reference, currency, description, payer, returnUrl, webhookUrl }: Checkout,
  options: PayuOptions,
  accountId: string,
  amount: string,
): [string, string][] {
  const { merchantId, algorithm, live } = options
  return [
    ['merchantId', merchantId],
    ['accountId', accountId],
    ['referenceCode', reference],
    ['description', description.slice(0, 255)],
    ['amount', amount],
    // Colombian accounts add 19% tax if these fields are missing.
    ['tax', '0'],
    ['taxReturnBase', '0'],
    ['currency', currency],
    ['signature', formSignature({ merchantId, referenceCode: reference, amount, currency }, options)],
    ['algorithmSignature', algorithm],
    ['test', live ? '0' : '1'],
    ['buyerEmail', payer.email],
    ['buyerFullName', `${payer.firstName} ${payer.lastName}`.trim().slice(0, 150)],
    ...(payer.phone === null ? [] : [['telephone', payer.phone] satisfies [string, string]]),
    ['responseUrl', returnUrl],
    ['confirmationUrl', webhookUrl],
    ['extra1', payer.id],
  ]
}

async function refund(
  service: PayuService,
  payment: StartedPayment,
  order: RefundOrder,
): Promise<RefundResult> {
  const paid = paidOrder(await ordersOf(service, payment.reference))
  const capture = paid && captureOf(paid)
  if (!paid || !capture) return { state: 'failed', why: 'no captured payulatam order for this payment' }
  const refunds = refundsOf(paid).filter(({ state }) => answerOf(state, null, '').state !== 'failed')
  const last = refunds.at(-1)
  const position = refundPosition(
    order,
    refunds.reduce((sum, { amount }) => sum + amount, 0),
  )
  if (position === 'unclear') return unclearRefund(order, 'PayU')
  if (position === 'done' && last) return answerOf(last.state, last.id, '')
  const decimals = payuCurrencies[payment.currency]?.decimals ?? 2
  const value = { value: Number(toText(order.amount, decimals)), currency: payment.currency }
  const { code, error, transactionResponse } = await submitRefund(service, {
    order: { id: Number(paid.id) },
    type: order.whole ? 'REFUND' : 'PARTIAL_REFUND',
    reason: order.reason,
    parentTransactionId: capture.id,
    ...(order.whole ? {} : { additionalValues: { TX_VALUE: value } }),
  })
  if (code !== 'SUCCESS' || !transactionResponse)
    return {
      state: 'failed',
      why: `payulatam: ${(error ?? code).replaceAll(service.apiKey, '').slice(0, 200)}`,
    }
  const { state, transactionId = null, responseMessage, responseCode } = transactionResponse
  return answerOf(state, transactionId, responseMessage ?? responseCode ?? '')
}

function answerOf(state: string, providerRefundId: string | null, reason: string): RefundResult {
  if (state === 'APPROVED') return { state: 'done', providerRefundId }
  if (state === 'PENDING' || state === 'PENDING_REVIEW') return { state: 'pending', providerRefundId }
  return { state: 'failed', why: `payulatam: ${state} ${reason}`.trim().slice(0, 200) }
}

const payuAlgorithms = ['MD5', 'SHA', 'SHA256', 'HMAC-SHA256'] as const
type PayuAlgorithm = (typeof payuAlgorithms)[number]

interface PayuSecrets {
  apiKey: string
  algorithm: PayuAlgorithm
  /** For HMAC-SHA256, if the account has a separate secret; otherwise the API key. */
  hmacSecret?: string | undefined
}

const hashes = { MD5: 'md5', SHA: 'sha1', SHA256: 'sha256' } as const

function sign(values: readonly string[], { apiKey, algorithm, hmacSecret }: PayuSecrets): string {
  const text = [apiKey, ...values].join('~')
  if (algorithm === 'HMAC-SHA256')
    return createHmac('sha256', hmacSecret ?? apiKey)
      .update(text)
      .digest('hex')
  return createHash(hashes[algorithm]).update(text).digest('hex')
}

/**
 * The signature of a form, with the amount exactly as in the form. Source: PayU Latam documentation, "Payment Form".
 */
export function formSignature(
  form: { merchantId: string; referenceCode: string; amount: string; currency: string },
  secrets: PayuSecrets,
): string {
  return sign([form.merchantId, form.referenceCode, form.amount, form.currency], secrets)
}

/**
 * Whether a confirmation is signed with our key: over its fields, the value with one decimal if the second is 0.
 * Source: PayU Latam documentation, "Confirmation Page".
 */
export function isSignedConfirmation(form: URLSearchParams, secrets: PayuSecrets): boolean {
  const given = (name: string) => form.get(name) ?? ''
  const value = signedValue(given('value'))
  if (value === null) return false
  const values = [given('merchant_id'), given('reference_sale'), value, given('currency'), given('state_pol')]
  return timingSafeEqualText(given('sign').toLowerCase(), sign(values, secrets))
}

/** 150.00 becomes 150.0, 150.20 becomes 150.2, 150.26 is unchanged. Null if not an amount with at most two decimals. */
function signedValue(value: string): string | null {
  try {
    return toText(fromText(value), 2).replace(/0$/, '')
  } catch {
    return null
  }
}
