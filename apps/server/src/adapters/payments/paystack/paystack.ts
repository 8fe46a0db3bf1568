import { createHash } from 'node:crypto'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { callProvider, type ProviderRequest } from '../http.ts'
import { PaymentError, type PaymentProvider, type StartedPayment } from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { fits, fromUnits, toUnits } from '../units.ts'
import type { PaystackOptions } from './options.ts'
import {
  exponent,
  foundBy,
  isSigned,
  refundResultOf,
  refund as refundSchema,
  refundTotals,
  transaction,
} from './response.ts'

const started = z.object({
  status: z.literal(true),
  data: z.object({ authorization_url: z.url(), reference: z.string() }),
})
const found = z.object({ status: z.literal(true), data: transaction })
const event = z.object({
  event: z.string(),
  data: z.object({ id: z.union([z.number(), z.string()]), reference: z.string() }),
})
/** Refund events, and dispute events, which end in a refund. */
const backEvent = z.object({
  event: z.string().regex(/^(refund|charge\.dispute)\./),
  data: z.object({
    transaction_reference: z.string().nullish(),
    transaction: z.object({ reference: z.string() }).nullish(),
  }),
})
const refunded = z.object({ status: z.literal(true), data: refundSchema })
const refunds = z.object({ status: z.literal(true), data: z.array(refundSchema) })

/**
 * Card payments through Paystack: a hosted page, an unsigned redirect back, a signed webhook, and transaction lookup by
 * our reference. Source: the vendor's OpenAPI file and its documentation "Accept Payments", "Webhooks", "Refunds".
 *
 * Not verified with the vendor: currencies other than GHS, KES, NGN, USD and ZAR; that a transaction's refund list is
 * complete (it prevents a second refund after a lost response; an unreadable list stops a repeated refund).
 */
export function paystackPayments(options: PaystackOptions): PaymentProvider {
  const { url = 'https://api.paystack.co', secretKey, currencies } = options

  async function ask(path: string, question: ProviderRequest = {}) {
    const headers = { authorization: `Bearer ${secretKey}` }
    const answer = await callProvider(`${url}${path}`, { ...question, headers })
    if (answer.status === 401 || answer.status === 403) throw unreadable(answer.status)
    return answer
  }

  /** The state of a transaction; an unknown reference is pending. */
  async function verify({ reference }: StartedPayment): Promise<ReportedPayment> {
    const { status, json } = await ask(`/transaction/verify/${encodeURIComponent(reference)}`)
    if (status === 400 || status === 404) return { state: 'pending' }
    const parsed = found.safeParse(json)
    if (!parsed.success) throw unreadable(status)
    return foundBy(parsed.data.data)
  }

  async function listRefunds(transactionId: string) {
    const query = new URLSearchParams({ transaction: transactionId, perPage: '100' })
    const listed = refunds.safeParse((await ask(`/refund?${query}`)).json)
    return listed.success ? listed.data.data : null
  }

  /** The refunded sums of a transaction; null if the list cannot be read. */
  async function refundsOf(transactionId: string) {
    const listed = await listRefunds(transactionId)
    return listed === null ? null : refundTotals(listed)
  }

  return {
    name: 'paystack',
    live: secretKey.startsWith('sk_live_'),
    hosts: {},
    accepts: (currency, amount) => amount > 0 && currencies.includes(currency) && fits(amount, exponent),

    start: async (checkout) => {
      const { payer } = checkout
      const body = {
        email: payer.email,
        amount: toUnits(checkout.amount, exponent),
        currency: checkout.currency,
        reference: checkout.reference,
        callback_url: checkout.returnUrl,
        channels: ['card'],
        metadata: {
          description: checkout.description,
          payer: payer.id,
          first_name: payer.firstName,
          last_name: payer.lastName,
          ...(payer.phone ? { phone: payer.phone } : {}),
        },
      }
      const { status, json } = await ask('/transaction/initialize', { method: 'POST', body })
      const parsed = started.safeParse(json)
      if (!parsed.success || parsed.data.data.reference !== checkout.reference) throw unreadable(status)
      return { providerRef: null, step: { kind: 'redirect', url: parsed.data.data.authorization_url } }
    },

    readReturn: async () => ({ kind: 'back', event: null }),

    readWebhook: async ({ body, headers }) => {
      if (!isSigned(body, headers['x-paystack-signature'], secretKey)) {
        return { kind: 'refused', why: 'signature' }
      }
      const content = parsedJson(body.toString('utf8'))
      const back = backEvent.safeParse(content)
      if (back.success) {
        const eventKey = createHash('sha256').update(body).digest('hex')
        const reference =
          back.data.data.transaction_reference ?? back.data.data.transaction?.reference ?? null
        if (reference === null) return { kind: 'ignored', eventKey }
        return {
          kind: 'event',
          event: { eventKey, reference, providerRef: null, providerId: null, isReversal: true },
        }
      }
      const parsed = event.safeParse(content)
      if (!parsed.success || parsed.data.event !== 'charge.success') {
        return { kind: 'ignored', eventKey: createHash('sha256').update(body).digest('hex') }
      }
      const { id, reference } = parsed.data.data
      const attempt = { reference, providerRef: null, providerId: String(id) }
      return { kind: 'event', event: { eventKey: `charge.success:${id}`, ...attempt } }
    },

    verify,

    refund: async (payment, order) => {
      if (payment.providerId === null) return { state: 'failed', why: 'paystack: no transaction' }
      const before = await refundsOf(payment.providerId)
      const position = refundPosition(order, before?.requested ?? null)
      if (position === 'done') return { state: 'pending', providerRefundId: null }
      if (position === 'unclear') return unclearRefund(order, 'Paystack')
      const body = {
        transaction: payment.providerId,
        amount: toUnits(order.amount, exponent),
        currency: payment.currency,
        merchant_note: `${order.id} ${order.reason}`,
      }
      const { status, json } = await ask('/refund', { method: 'POST', body })
      const parsed = refunded.safeParse(json)
      if (parsed.success) return refundResultOf(parsed.data.data)
      // Accepted with an unknown response: the refund may have been made.
      if (status < 400) throw unreadable(status)
      return { state: 'failed', why: `paystack returned ${status}` }
    },

    refundState: async ({ providerId }, { providerRefundId, amount, refundedBefore }) => {
      if (providerRefundId === null) {
        const given = providerId === null ? null : await refundsOf(providerId)
        const isDone = given !== null && given.completed >= refundedBefore + amount
        return { state: isDone ? 'done' : 'pending', providerRefundId }
      }
      const { json } = await ask(`/refund/${encodeURIComponent(providerRefundId)}`)
      const parsed = refunded.safeParse(json)
      return parsed.success ? refundResultOf(parsed.data.data) : { state: 'pending', providerRefundId }
    },

    listReversals: async ({ providerId }) => {
      const listed = providerId === null ? [] : await listRefunds(providerId)
      if (listed === null) throw new PaymentError('paystack: unreadable refunds', { permanent: false })
      return listed.map((one, index) => {
        const { state } = refundResultOf(one)
        const amount = fromUnits(one.amount, exponent)
        return { id: one.id ?? `${providerId}-${index}`, kind: 'refund', amount, order: null, state }
      })
    },
  }
}

/** The server refused the request, or its response cannot be parsed. */
function unreadable(status: number): PaymentError {
  return new PaymentError(`paystack returned ${status}`, { permanent: status >= 400 })
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
