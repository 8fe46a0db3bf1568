import { createHash } from 'node:crypto'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import {
  callProvider,
  type ProviderRequest,
  type ProviderResponse,
  serializeByKey,
  timingSafeEqualText,
} from '../http.ts'
import { allPages, cachedFor } from '../pages.ts'
import {
  type CompletedPayment,
  type IncomingMessage,
  type MessageReading,
  PaymentError,
  type PaymentProvider,
  type StartedPayment,
} from '../port.ts'
import { refundPosition, unclearRefund } from '../refund-position.ts'
import { fits, fromUnits, toUnits } from '../units.ts'
import {
  charge,
  chargeRequest,
  exponent,
  foundBy,
  listOf,
  referenceOf,
  refund,
  refund as refundSchema,
} from './charge.ts'
import type { CulqiOptions } from './options.ts'

const currencies = ['PEN', 'USD']
/** The documented range of a charge, in hundredths. */
const [least, most] = [300, 999_900]

const review = z.object({ action_code: z.literal('REVIEW') })
const trouble = z.object({ object: z.literal('error'), type: z.string() })
const charges = listOf(charge)
const refunds = listOf(refundSchema)
/** The cursor of the next page. */
const paging = z.object({
  paging: z.object({ cursors: z.object({ after: z.string().nullish() }).nullish() }),
})
/** How long routine checks may reuse the account's list of refunds, ms. */
const refundsCacheMs = 10 * 60_000

/**
 * Card payments through Culqi (Peru): its card form in our page returns a one-time token, which we charge. Source:
 * Culqi documentation "Checkout Custom", "Cargos", "Culqi 3DS", its OpenAPI file, and its WooCommerce plugin
 * (webhooks).
 *
 * Not verified with the vendor: the result fields after a 3-D Secure challenge (taken from the vendor's PHP example);
 * which hosts its form and a bank's challenge load from; filters and format of charge and refund lists (used to find a
 * charge after a lost response, among the last hundred with that amount, and to avoid a second refund, among the last
 * two thousand); what a refunded charge looks like. Culqi has no idempotency key: two simultaneous completions of one
 * payment are serialized only within this process.
 */
export function culqiPayments(options: CulqiOptions): PaymentProvider {
  const { url = 'https://api.culqi.com', publicKey, secretKey, webhook } = options
  const { scriptUrl = 'https://js.culqi.com/checkout-js', proofScriptUrl = 'https://3ds.culqi.com' } = options
  const live = secretKey.startsWith('sk_live_')

  async function ask(path: string, question: ProviderRequest = {}): Promise<ProviderResponse> {
    const headers = { authorization: `Bearer ${secretKey}` }
    const answer = await callProvider(`${url}/v2${path}`, { ...question, headers })
    if (answer.status === 401 || answer.status === 403) throw unreadable(answer)
    return answer
  }

  /** All refunds of the account; null if they cannot be read. */
  const listRefunds = () =>
    allPages(async (after: string | null) => {
      const query = new URLSearchParams({ limit: '100', ...(after === null ? {} : { after }) })
      const { json } = await ask(`/refunds?${query}`)
      const listed = refunds.safeParse(json)
      if (!listed.success) return null
      return { items: listed.data, next: paging.safeParse(json).data?.paging.cursors?.after ?? null }
    })
  const cachedRefunds = cachedFor(refundsCacheMs, listRefunds)

  async function verify(payment: StartedPayment): Promise<ReportedPayment> {
    if (payment.providerId !== null) {
      const answer = await ask(`/charges/${encodeURIComponent(payment.providerId)}`)
      if (answer.status === 404) return { state: 'pending' }
      return foundBy(readable(charge, answer))
    }
    const query = new URLSearchParams({
      amount: String(toUnits(payment.amount, exponent)),
      currency_code: payment.currency,
      limit: '100',
    })
    const listed = readable(charges, await ask(`/charges?${query}`))
    const ours = listed.filter((one) => referenceOf(one) === payment.reference).map(foundBy)
    return ours.find(({ state }) => state === 'paid') ?? { state: 'pending' }
  }

  async function complete(
    payment: StartedPayment,
    input: Readonly<Record<string, string>>,
  ): Promise<CompletedPayment> {
    const before = await verify(payment)
    if (before.state === 'paid') return { kind: 'found', found: before }
    const answer = await ask('/charges', { method: 'POST', body: chargeRequest(payment, input) })
    if (answer.status === 201) return { kind: 'found', found: foundBy(readable(charge, answer)) }
    if (answer.status === 200 && review.safeParse(answer.json).success) return { kind: 'challenge', data: {} }
    const error = trouble.safeParse(answer.json)
    if (error.success && error.data.type === 'card_error')
      return { kind: 'found', found: { state: 'failed' } }
    throw unreadable(answer)
  }

  return {
    name: 'culqi',
    live,
    hosts: hostsOf([scriptUrl, proofScriptUrl, url]),
    accepts: (currency, amount) =>
      currencies.includes(currency) &&
      fits(amount, exponent) &&
      amount >= least * 100 &&
      amount <= most * 100,

    start: async ({ amount, currency, payer }) => {
      if (payer.email.length < 5 || payer.email.length > 50) {
        throw new PaymentError('culqi accepts email addresses of 5 to 50 characters', { permanent: true })
      }
      const data = {
        scriptUrl,
        proofScriptUrl,
        publicKey,
        amount: String(toUnits(amount, exponent)),
        currency,
        email: payer.email,
        firstName: payer.firstName,
        lastName: payer.lastName,
        phone: payer.phone ?? '',
      }
      return { providerRef: null, step: { kind: 'page', data } }
    },

    complete: (payment, input) => serializeByKey(payment.reference, () => complete(payment, input)),
    readReturn: async () => ({ kind: 'back', event: null }),
    readWebhook: async (message) => readWebhook(message, webhook),
    verify,

    refund: async (payment, order) => {
      if (payment.providerId === null) return { state: 'failed', why: 'culqi: no charge' }
      const listed = await listRefunds()
      const given = listed?.filter((one) => one.charge_id === payment.providerId) ?? null
      const before = given?.reduce((sum, one) => sum + one.amount * 100, 0) ?? null
      const position = refundPosition(order, before)
      if (position === 'done') return { state: 'done', providerRefundId: given?.[0]?.id ?? null }
      if (position === 'unclear') return unclearRefund(order, "Culqi's panel")
      const body = {
        amount: toUnits(order.amount, exponent),
        charge_id: payment.providerId,
        reason: 'solicitud_comprador',
      }
      const answer = await ask('/refunds', { method: 'POST', body })
      const parsed = refundSchema.safeParse(answer.json)
      if (parsed.success) return { state: 'done', providerRefundId: parsed.data.id }
      // Accepted with an unknown response: the refund may have been made.
      if (answer.status < 400) throw unreadable(answer)
      return { state: 'failed', why: `culqi returned ${answer.status}` }
    },

    listReversals: async ({ providerId }, isRoutine = false) => {
      const listed = await (isRoutine ? cachedRefunds() : listRefunds())
      if (listed === null) throw new PaymentError('culqi: unreadable refunds', { permanent: false })
      const ours = listed.filter(({ charge_id }) => charge_id === providerId)
      return ours.map(({ id, amount }) => {
        return { id, kind: 'refund', amount: fromUnits(amount, exponent), order: null, state: 'done' }
      })
    },
  }
}

function readable<Shape extends z.ZodType>(shape: Shape, answer: ProviderResponse): z.output<Shape> {
  const parsed = shape.safeParse(answer.json)
  if (!parsed.success) throw unreadable(answer)
  return parsed.data
}

/** Names the status and, if present, Culqi's error type. */
function unreadable({ status, json }: ProviderResponse): PaymentError {
  const error = trouble.safeParse(json)
  const kind = error.success ? ` ${error.data.type.replace(/[^\w-]/g, '').slice(0, 40)}` : ''
  return new PaymentError(`culqi returned ${status}${kind}`, { permanent: status >= 400 })
}

/** The form and 3-D Secure use iframes from several of the vendor's hosts and from the 3-D Secure network. */
function hostsOf(addresses: string[]): PaymentProvider['hosts'] {
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))]
  const isTheirs = origins.some((origin) => origin.endsWith('.culqi.com'))
  const theirs = isTheirs ? ['https://*.culqi.com'] : []
  return {
    script: [...origins, ...theirs],
    frame: [...origins, ...theirs, ...(isTheirs ? ['https://*.cardinalcommerce.com'] : [])],
    connect: [...origins, ...theirs],
    image: theirs,
    style: theirs,
  }
}

interface WebhookAccount {
  user: string
  password: string
}

const event = z.object({ object: z.literal('event'), id: z.string(), type: z.string(), data: z.unknown() })

/**
 * Reads a webhook from Culqi. Webhooks are not signed: HTTP Basic authentication with user and password from the panel
 * is the only proof, so a webhook only triggers a status check. Without an account, every webhook is refused.
 */
export function readWebhook(
  { headers, body }: IncomingMessage,
  account: WebhookAccount | null,
): MessageReading {
  if (account === null) return { kind: 'refused', why: 'no webhook account configured' }
  const expected = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  if (!timingSafeEqualText(headers.authorization ?? '', expected))
    return { kind: 'refused', why: 'wrong user or password' }
  const parsed = event.safeParse(parsedJson(body.toString('utf8')))
  if (!parsed.success) return { kind: 'ignored', eventKey: createHash('sha256').update(body).digest('hex') }
  const { id, type, data } = parsed.data
  const content = typeof data === 'string' ? parsedJson(data) : data
  const back = refund.safeParse(content)
  if (type.startsWith('refund.') && back.success) {
    const named = { reference: null, providerRef: null, providerId: back.data.charge_id }
    return { kind: 'event', event: { eventKey: id, ...named, isReversal: true } }
  }
  const about = charge.safeParse(content)
  if (!type.startsWith('charge.') || !about.success) return { kind: 'ignored', eventKey: id }
  const attempt = { reference: referenceOf(about.data), providerRef: null, providerId: about.data.id }
  return { kind: 'event', event: { eventKey: id, ...attempt } }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
