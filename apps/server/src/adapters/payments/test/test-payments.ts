import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { PaymentEvent, PaymentProvider } from '../port.ts'
import { fits, toText } from '../units.ts'
import { readSigned, type TestMessage } from './signed-message.ts'
import type { TestPayment, TestPaymentState, TestPaymentStore } from './store.ts'

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
        : { kind: 'news', event: newsOf(message) }
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
