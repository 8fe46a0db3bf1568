import { createHash } from 'node:crypto'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { callProvider, type ProviderRequest } from '../http.ts'
import { allPages, cachedFor } from '../pages.ts'
import { PaymentError, type PaymentProvider, type StartedPayment } from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { type Exponent, fits, fromNumber, toText } from '../units.ts'
import type { FlutterwaveOptions } from './options.ts'
import {
  foundBy,
  isSigned,
  refundResultOf,
  refund as refundSchema,
  refundTotals,
  transaction,
} from './response.ts'

/** Currencies without decimals; all others have two. */
const wholeCurrencies = ['UGX', 'RWF', 'XAF', 'XOF']
const exponentOf = (currency: string): Exponent => (wholeCurrencies.includes(currency) ? 0 : 2)

const link = z.object({ data: z.object({ link: z.url() }) })
const found = z.object({ status: z.literal('success'), data: transaction })
/** How long routine checks may reuse the account's list of refunds, ms. */
const refundsCacheMs = 10 * 60_000

const event = z.object({
  event: z.string(),
  data: z.object({ id: z.union([z.number(), z.string()]), tx_ref: z.string(), status: z.string() }),
})
const refunded = z.object({ status: z.literal('success'), data: refundSchema })
const refunds = z.object({
  data: z.array(refundSchema),
  meta: z.object({ page_info: z.object({ current_page: z.number(), total_pages: z.number() }) }).nullish(),
})

/**
 * Card payments through Flutterwave, API version 3: a hosted page, an unsigned redirect back, a webhook, and
 * transaction lookup by our reference. Source: Flutterwave documentation "Flutterwave Standard", "Transaction
 * Verification", "Webhooks" and "Refunds".
 *
 * Not verified with the vendor: which header signs an account's webhooks (both documented ones are read); which
 * currencies an account accepts (configured as a list); the format of the refund list, which prevents a second refund
 * after a lost response (an unreadable list stops a repeated refund and requires a manual check); the status of a
 * refunded transaction.
 */
export function flutterwavePayments(options: FlutterwaveOptions): PaymentProvider {
  const { url = 'https://api.flutterwave.com', secretKey, secretHash, currencies } = options
  const live = !secretKey.startsWith('FLWSECK_TEST')

  async function ask(path: string, question: ProviderRequest = {}) {
    const headers = { authorization: `Bearer ${secretKey}` }
    const answer = await callProvider(`${url}/v3${path}`, { ...question, headers })
    if (answer.status === 401 || answer.status === 403) {
      throw new PaymentError(`flutterwave returned ${answer.status}`, { permanent: true })
    }
    return answer
  }

  /** The state of a transaction; an unknown one is pending: the payer has not paid yet. */
  async function askFor(path: string): Promise<ReportedPayment> {
    const { status, json } = await ask(path)
    if (status === 400 || status === 404) return { state: 'pending' }
    const parsed = found.safeParse(json)
    if (!parsed.success) throw unreadable(status)
    try {
      return foundBy(parsed.data.data, live)
    } catch {
      throw unreadable(status)
    }
  }

  async function verify(payment: StartedPayment): Promise<ReportedPayment> {
    const reference = encodeURIComponent(payment.reference)
    const byReference = await askFor(`/transactions/verify_by_reference?tx_ref=${reference}`)
    if (byReference.state === 'paid' || payment.providerId === null) return byReference
    // One page may create several transactions with the same reference; the webhook names the paid one.
    const byId = await askFor(`/transactions/${encodeURIComponent(payment.providerId)}/verify`)
    return byId.state === 'pending' ? byReference : byId
  }

  /** All refunds of the account; null if they cannot be read. */
  const listRefunds = () =>
    allPages(async (page: number | null) => {
      const listed = refunds.safeParse((await ask(page === null ? '/refunds' : `/refunds?page=${page}`)).json)
      if (!listed.success) return null
      const { current_page: current = 1, total_pages: total = 1 } = listed.data.meta?.page_info ?? {}
      return { items: listed.data.data, next: current < total ? current + 1 : null }
    })
  const cachedRefunds = cachedFor(refundsCacheMs, listRefunds)

  /** The refunded sums of a transaction; null if the list cannot be read. */
  async function refundsOf(transactionId: string) {
    const listed = await listRefunds()
    return listed === null ? null : refundTotals(listed, transactionId)
  }

  return {
    name: 'flutterwave',
    live,
    hosts: {},
    accepts: (currency, amount) =>
      amount > 0 && currencies.includes(currency) && fits(amount, exponentOf(currency)),

    start: async (checkout) => {
      const { payer, currency } = checkout
      const body = {
        tx_ref: checkout.reference,
        amount: Number(toText(checkout.amount, exponentOf(currency))),
        currency,
        redirect_url: checkout.returnUrl,
        payment_options: 'card',
        customer: {
          email: payer.email,
          name: `${payer.firstName} ${payer.lastName}`.trim(),
          ...(payer.phone ? { phonenumber: payer.phone } : {}),
        },
        customizations: { title: checkout.description },
        meta: { payer: payer.id },
      }
      const { status, json } = await ask('/payments', { method: 'POST', body })
      const parsed = link.safeParse(json)
      if (!parsed.success) throw unreadable(status)
      return { providerRef: null, step: { kind: 'redirect', url: parsed.data.data.link } }
    },

    readReturn: async () => ({ kind: 'back', event: null }),

    readWebhook: async (message) => {
      if (!isSigned(message, secretHash)) return { kind: 'refused', why: 'signature' }
      const text = message.body.toString('utf8')
      const parsed = event.safeParse(parsedJson(text))
      if (!parsed.success || parsed.data.event !== 'charge.completed') {
        return { kind: 'ignored', eventKey: createHash('sha256').update(text).digest('hex') }
      }
      const { id, tx_ref: reference, status } = parsed.data.data
      const attempt = { reference, providerRef: null, providerId: String(id) }
      return { kind: 'event', event: { eventKey: `${id}:${status}`, ...attempt } }
    },

    verify,

    refund: async (payment, order) => {
      if (payment.providerId === null) return { state: 'failed', why: 'flutterwave: no transaction' }
      const before = await refundsOf(payment.providerId)
      const position = refundPosition(order, before?.requested ?? null)
      if (position === 'done') return { state: 'pending', providerRefundId: null }
      if (position === 'unclear') return unclearRefund(order, 'Flutterwave')
      const body = {
        amount: Number(toText(order.amount, exponentOf(payment.currency))),
        comments: `${order.id} ${order.reason}`,
      }
      const path = `/transactions/${encodeURIComponent(payment.providerId)}/refund`
      const { status, json } = await ask(path, { method: 'POST', body })
      const parsed = refunded.safeParse(json)
      if (parsed.success) return refundResultOf(parsed.data.data)
      // Accepted with an unknown response: the refund may have been made.
      if (status < 400) throw unreadable(status)
      return { state: 'failed', why: `flutterwave returned ${status}` }
    },

    refundState: async ({ providerId }, { providerRefundId, amount, refundedBefore }) => {
      if (providerRefundId === null) {
        const given = providerId === null ? null : await refundsOf(providerId)
        const isDone = given !== null && given.completed >= refundedBefore + amount
        return { state: isDone ? 'done' : 'pending', providerRefundId }
      }
      const { json } = await ask(`/refunds/${encodeURIComponent(providerRefundId)}`)
      const parsed = refunded.safeParse(json)
      return parsed.success ? refundResultOf(parsed.data.data) : { state: 'pending', providerRefundId }
    },

    listReversals: async ({ providerId }, isRoutine = false) => {
      const listed = await (isRoutine ? cachedRefunds() : listRefunds())
      if (listed === null) throw new PaymentError('flutterwave: unreadable refunds', { permanent: false })
      const ours = listed.filter(({ tx_id }) => tx_id === providerId)
      return ours.map((one) => {
        const { state } = refundResultOf(one)
        return { id: one.id, kind: 'refund', amount: fromNumber(one.amount_refunded), order: null, state }
      })
    },
  }
}

/** The server refused the request, or its response cannot be parsed. */
function unreadable(status: number): PaymentError {
  return new PaymentError(`flutterwave returned ${status}`, { permanent: status >= 400 })
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
