import { createHmac } from 'node:crypto'
import type { Amount } from '@hansom/domain/money/amount'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { timingSafeEqualText } from '../http.ts'
import type { PaymentEvent, PaymentProvider } from '../port.ts'
import { fits, toText } from '../units.ts'

export interface TestPaymentsOptions {
  /** Signs returns and webhooks. */
  secret: string
  store: TestPaymentStore
}

/** The page's `decision` values; closing the page sends none. */
const decisions: Readonly<Record<string, TestPaymentState>> = {
  approve: 'paid',
  decline: 'failed',
  leave_pending: 'pending',
}

/**
 * The built-in provider of a demo: no money, no account, our design (there is no vendor). Its page is ours and shows
 * `reference`, `amount` (in currency units) and `currency`; `complete` accepts `decision`: approve, decline or
 * leave_pending. Return and webhook have a signed `payload` (see `signed-message`); only the storage says what is paid.
 */
export function testPayments({ secret, store: book }: TestPaymentsOptions): PaymentProvider {
  const found = async (reference: string): Promise<ReportedPayment> => foundOf(await book.read(reference))
  return {
    name: 'test',
    live: false,
    hosts: {},
    // XTS is reserved for testing (ISO 4217).
    accepts: (currency, amount) => /^[A-Z]{3}$/.test(currency) && currency !== 'XTS' && amount > 0,
    start: async ({ reference, amount, currency }) => {
      await book.open({ reference, amount, currency })
      const text = toText(amount, fits(amount, 2) ? 2 : 4)
      return { providerRef: null, step: { kind: 'page', data: { reference, amount: text, currency } } }
    },
    complete: async ({ reference }, input) => {
      const state = decisions[input.decision ?? '']
      if (state !== undefined) await book.decide(reference, state)
      return { kind: 'found', found: await found(reference) }
    },
    readReturn: async ({ query, at }) => {
      if (!query.has('payload')) return { kind: 'back', event: null }
      const message = readSigned(query, secret, at)
      return typeof message === 'string'
        ? { kind: 'refused', why: message }
        : { kind: 'back', event: newsOf(message) }
    },
    readWebhook: async ({ body, at }) => {
      const message = readSigned(new URLSearchParams(body.toString()), secret, at)
      return typeof message === 'string'
        ? { kind: 'refused', why: message }
        : { kind: 'event', event: newsOf(message) }
    },
    verify: ({ reference }) => found(reference),
    refund: async ({ reference }, { id, amount }) =>
      (await book.refund(reference, id, amount))
        ? { state: 'done', providerRefundId: id }
        : { state: 'failed', why: 'more than the paid amount' },
  }
}

function newsOf({ reference, event }: TestMessage): PaymentEvent {
  return { eventKey: event, reference, providerRef: null, providerId: null }
}

function foundOf(payment: TestPayment | null): ReportedPayment {
  if (payment === null || payment.state === 'failed') return { state: 'failed' }
  if (payment.state !== 'paid') return { state: 'pending' }
  const { reference, amount, currency, refunded } = payment
  const state = refunded === amount ? 'refunded' : 'paid'
  return { state, reference, providerId: `test-${reference}`, amount, currency, live: false }
}

/** The payer's decision about a payment, `open` before any. */
export type TestPaymentState = 'open' | 'pending' | 'paid' | 'failed'

export interface TestPayment {
  reference: string
  amount: Amount
  currency: string
  state: TestPaymentState
  /** The total refunded amount. */
  refunded: Amount
}

/** The test provider's storage. */
export interface TestPaymentStore {
  read(reference: string): Promise<TestPayment | null>
  /** Creates an undecided payment; does nothing if it exists. */
  open(payment: Pick<TestPayment, 'reference' | 'amount' | 'currency'>): Promise<void>
  /** Stores a decision. A paid payment stays paid. */
  decide(reference: string, state: TestPaymentState): Promise<void>
  /** Refunds once per id and never more than was paid; returns false in that case. */
  refund(reference: string, id: string, amount: Amount): Promise<boolean>
}

/** A message of the test provider. It settles nothing: the stored payment decides. */
export interface TestMessage {
  reference: string
  /** Event id: the same for each delivery. */
  event: string
  /** Epoch ms, real time. */
  issuedAt: number
}

const freshMs = 15 * 60_000

/** The fields of a return or a webhook: `payload`, base64url of JSON, and `signature`, its hex HMAC-SHA256. */
export function signMessage(message: TestMessage, secret: string): { payload: string; signature: string } {
  const payload = Buffer.from(JSON.stringify(message)).toString('base64url')
  return { payload, signature: signatureOf(payload, secret) }
}

/** The message, or the reason why it is refused. A message older than 15 minutes is refused as a replay. */
export function readSigned(fields: URLSearchParams, secret: string, now: number): TestMessage | string {
  const payload = fields.get('payload') ?? ''
  if (!timingSafeEqualText(fields.get('signature') ?? '', signatureOf(payload, secret)))
    return 'wrong signature'
  const message = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TestMessage
  return Math.abs(now - message.issuedAt) > freshMs ? 'too old' : message
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex')
}
