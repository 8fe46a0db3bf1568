import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { PaymentProvider, StartedPayment } from '../port.ts'
import { fits } from '../units.ts'
import {
  foundAmong,
  type MercadopagoSite,
  mercadopagoApi,
  mercadopagoSites,
  paymentAt,
  paymentsOf,
} from './api.ts'
import { createPreference, expirePreference, preferenceExpiry, preferenceOf } from './preferences.ts'
import { keyOf, mercadopagoRefunds } from './refunds.ts'
import { readMercadopagoEvent } from './webhook.ts'

export interface MercadopagoOptions {
  accessToken: string
  webhookSecret: string
  /** The account's country. */
  site: MercadopagoSite
  url: string
  /** Epoch ms, real time. */
  now?: () => number
}

/** How long the payment search may lag behind, ms. */
const searchLag = 15 * 60_000

const ownUrl = 'https://api.mercadopago.com'

/**
 * Mercado Pago's Checkout Pro over plain HTTPS: a preference and Mercado Pago's page, where the payer may try several
 * times. Each attempt is a payment with our reference. When the browser returns, the preference is closed, so that an
 * old tab cannot pay it again. Sources: mercadopago/openapi (Preferences, Payments, Cancellations & Refunds), the pages
 * "Webhooks", "Term of preference" and "Refund of transactions with Pix".
 *
 * Not verified with the vendor: whether a PUT of the expiry alone closes a preference immediately, the meaning of
 * `live_mode` under the APP_USR token of a test user, decimals of COP, how far the search lags behind, how long an
 * idempotency key is stored, whether a repeated notification keeps its time and request id, and the minimum amounts.
 */
export function mercadopagoPayments(options: MercadopagoOptions): PaymentProvider {
  const { accessToken, webhookSecret: secret, site, url, now = Date.now } = options
  const ask = mercadopagoApi({ url, accessToken })
  const live = !accessToken.startsWith('TEST-')
  const country = mercadopagoSites[site]

  const verify = async (payment: StartedPayment): Promise<ReportedPayment> => {
    const { reference, providerId, providerRef } = payment
    const known = providerId === null ? null : await paymentAt(ask, providerId)
    // A failed payment says nothing about the payer's next card.
    const found = known && foundAmong([known], live)
    if (found && found.state !== 'pending') return found
    const searched = foundAmong(await paymentsOf(ask, reference), live) ?? found
    if (searched) return searched
    const end = providerRef === null ? null : await preferenceExpiry(ask, providerRef)
    return { state: end !== null && end + searchLag < now() ? 'failed' : 'pending' }
  }

  return {
    name: 'mercadopago',
    live,
    hosts: {
      form: url === ownUrl ? [`https://www.${country.host}`, `https://sandbox.${country.host}`] : [url],
    },
    accepts: (currency, amount) =>
      currency === country.currency && amount > 0 && fits(amount, country.decimals),
    async start(checkout) {
      const { reference } = checkout
      const body = preferenceOf(checkout, country, now())
      const { id, url: page } = await createPreference(ask, body, { key: keyOf(reference), live })
      return { providerRef: id, step: { kind: 'redirect', url: page } }
    },
    /** The browser returned: closes the checkout. The payment has failed unless one is decided or in progress. */
    async complete(payment, { payment: named }) {
      // The search may lag behind. A payment named by the browser only counts if it has our reference.
      const returned = named === undefined ? null : await paymentAt(ask, named)
      const own = returned?.external_reference === payment.reference ? [returned] : []
      const before = foundAmong(own, live) ?? (await verify(payment))
      const { providerRef } = payment
      const isEnded = providerRef !== null && (await expirePreference(ask, providerRef, now()))
      if (before.state !== 'pending' || foundAmong(own, live) !== null || !isEnded) {
        return { kind: 'found', found: before }
      }
      // The preference is closed: no payment can arrive later.
      const found = foundAmong(await paymentsOf(ask, payment.reference), live) ?? { state: 'failed' }
      return { kind: 'found', found }
    },
    async readReturn({ query }, { reference }) {
      const theirs = query.get('external_reference')
      if (theirs !== null && theirs !== 'null' && theirs !== reference) {
        return { kind: 'refused', why: 'different reference' }
      }
      const named = query.get('payment_id') ?? ''
      const complete: Record<string, string> = /^\d+$/.test(named) ? { payment: named } : {}
      return { kind: 'back', event: null, complete }
    },
    readWebhook: (message) => readMercadopagoEvent(message, { ask, secret }),
    verify,
    ...mercadopagoRefunds(ask),
  }
}
