import type { ReportedPayment } from '@hansom/domain/payments/payment'
import Stripe from 'stripe'
import { type Checkout, PaymentError, type PaymentProvider, type StartedPayment } from '../port.ts'
import { canCharge, fromStripeUnits, stripeUnits } from './currencies.ts'
import type { StripeOptions } from './options.ts'
import { callStripe, stripeRefunds } from './refunds.ts'
import { readStripeEvent } from './webhook.ts'

const ownUrl = 'https://api.stripe.com'

/** Languages of Stripe's page (type Session.Locale of the library); others follow the browser. */
const locales =
  'bg cs da de el en es et fi fil fr hr hu id it ja ko lt lv ms mt nb nl pl pt ro ru sk sl sv th tr vi zh'.split(
    ' ',
  )

/**
 * Stripe, with its official library: a Checkout Session on Stripe's hosted page. Sources: the types of the package
 * `stripe` (API version 2026-10-28.endive) and Stripe's page "Supported currencies". A payer who cancels expires the
 * session, so that an old tab cannot pay it later.
 *
 * Not verified with the vendor: the special cases of ISK, UGX, HUF, TWD and the three-decimal currencies, which
 * currencies an account in a given country may charge, and the minimum amounts.
 */
export function stripePayments({ secretKey, webhookSecret, url }: StripeOptions): PaymentProvider {
  const { protocol, hostname, port } = new URL(url)
  const client = new Stripe(secretKey, {
    host: hostname,
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : port,
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: 15_000,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  const live = /^.k_live_/.test(secretKey)

  const verify = async ({ providerRef }: StartedPayment): Promise<ReportedPayment> => {
    // If we never learned the session's id, no payer has seen its page.
    if (providerRef === null) return { state: 'pending' }
    const expand = ['payment_intent.latest_charge']
    return foundIn(await callStripe(() => client.checkout.sessions.retrieve(providerRef, { expand })))
  }

  return {
    name: 'stripe',
    live,
    hosts: { form: [url === ownUrl ? 'https://checkout.stripe.com' : url] },
    accepts: canCharge,
    async start(checkout) {
      const session = await callStripe(() =>
        client.checkout.sessions.create(sessionOf(checkout), {
          idempotencyKey: `checkout-${checkout.reference}`,
        }),
      )
      if (session.url === null) throw new PaymentError('stripe returned no page', { permanent: true })
      return { providerRef: session.id, step: { kind: 'redirect', url: session.url } }
    },
    /** If the payer cancelled, expires the session unless it has been paid meanwhile. */
    async complete(payment, { cancelled }) {
      const { providerRef } = payment
      if (cancelled !== undefined && providerRef !== null) {
        await callStripe(() => client.checkout.sessions.expire(providerRef)).catch((error: unknown) => {
          // The session is already paid or expired.
          if (!(error instanceof PaymentError && error.permanent)) throw error
        })
      }
      return { kind: 'found', found: await verify(payment) }
    },
    async readReturn({ query }, { providerRef }) {
      const session = query.get('session_id')
      if (session !== null && providerRef !== null && session !== providerRef) {
        return { kind: 'refused', why: 'different session' }
      }
      const isCancelled = query.has('cancelled')
      return { kind: 'back', event: null, ...(isCancelled ? { complete: { cancelled: '1' } } : {}) }
    },
    readWebhook: async (message) => readStripeEvent(message, webhookSecret, live),
    verify,
    ...stripeRefunds(client),
  }
}

function sessionOf(checkout: Checkout): Stripe.Checkout.SessionCreateParams {
  const { reference, amount, currency, description, payer, returnUrl, locale } = checkout
  const metadata = { reference, payer: payer.id }
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: stripeUnits(currency, amount),
          product_data: { name: description.slice(0, 250) },
        },
      },
    ],
    client_reference_id: reference,
    ...(payer.email === '' ? {} : { customer_email: payer.email }),
    metadata,
    payment_intent_data: { metadata },
    // Charge in our currency, not the payer's.
    adaptive_pricing: { enabled: false },
    locale: (locales.includes(locale) ? locale : 'auto') as Stripe.Checkout.SessionCreateParams.Locale,
    success_url: `${withMark(returnUrl)}session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${withMark(returnUrl)}cancelled=1`,
  }
}

const withMark = (url: string) => `${url}${url.includes('?') ? '&' : '?'}`

function foundIn(session: Stripe.Checkout.Session): ReportedPayment {
  const { payment_intent: intent, status, payment_status } = session
  if (payment_status !== 'paid') {
    const declinedLater =
      status === 'complete' &&
      typeof intent === 'object' &&
      (intent?.status === 'requires_payment_method' || intent?.status === 'canceled')
    return { state: status === 'expired' || declinedLater ? 'failed' : 'pending' }
  }
  const currency = (session.currency ?? '').toUpperCase()
  const charge = typeof intent === 'object' ? intent?.latest_charge : null
  return {
    state: typeof charge === 'object' && charge?.refunded ? 'refunded' : 'paid',
    reference: session.client_reference_id ?? '',
    providerId: (typeof intent === 'string' ? intent : intent?.id) ?? '',
    amount: fromStripeUnits(currency, session.amount_total ?? 0),
    currency,
    live: session.livemode,
  }
}
