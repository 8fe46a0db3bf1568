import type { FoundPayment } from '@hansom/domain/payments/payment'
import type { PaymentProvider, StartedPayment } from '../port.ts'
import { fits } from '../units.ts'
import { mercadopagoApi } from './api.ts'
import { foundAmong, paymentAt, paymentsOf } from './payments.ts'
import { createPreference, endOfPreference, endPreference, preferenceOf } from './preferences.ts'
import { keyOf, mercadopagoRefunds } from './refunds.ts'
import { type MercadopagoSite, mercadopagoSites } from './sites.ts'
import { readMercadopagoEvent } from './webhook.ts'

export interface MercadopagoOptions {
  accessToken: string
  webhookSecret: string
  /** The country of the account. */
  site: MercadopagoSite
  url: string
  /** Epoch ms, of the world's clock. */
  now?: () => number
}

/** A payment may be found only some time after it was made, ms. */
const searchLag = 15 * 60_000

const ownUrl = 'https://api.mercadopago.com'

/**
 * Mercado Pago's Checkout Pro over plain HTTPS: a preference, and Mercado Pago's own page, on which a payer may try several
 * times. Each try is a payment that carries our reference. Once the browser is back the preference is ended, so that an old
 * tab cannot pay it again. Sources: mercadopago/openapi (Preferences, Payments, Cancellations & Refunds), the pages
 * "Webhooks", "Term of preference" and "Refund of transactions with Pix".
 *
 * Not verified with the vendor: whether a preference may be ended by a PUT of its expiry alone and at once, the meaning of
 * `live_mode` under the APP_USR token of a test user, decimals of COP, how far the search lags behind, how long an idempotency key is kept, whether a
 * repeated notification keeps its time and request id, and the least amounts.
 */
export function mercadopagoPayments(options: MercadopagoOptions): PaymentProvider {
  const { accessToken, webhookSecret: secret, site, url, now = Date.now } = options
  const ask = mercadopagoApi({ url, accessToken })
  const live = !accessToken.startsWith('TEST-')
  const country = mercadopagoSites[site]

  const verify = async (payment: StartedPayment): Promise<FoundPayment> => {
    const { reference, providerId, providerRef } = payment
    const told = providerId === null ? null : await paymentAt(ask, providerId)
    // A payment that came to nothing says nothing of the next card that the payer tries.
    const found = told && foundAmong([told], live)
    if (found && found.state !== 'pending') return found
    const searched = foundAmong(await paymentsOf(ask, reference), live) ?? found
    if (searched) return searched
    const end = providerRef === null ? null : await endOfPreference(ask, providerRef)
    return { state: end !== null && end + searchLag < now() ? 'failed' : 'pending' }
  }

  return {
    name: 'mercadopago',
    live,
    hosts: {
      form: url === ownUrl ? [`https://www.${country.host}`, `https://sandbox.${country.host}`] : [url],
    },
    takes: (currency, amount) =>
      currency === country.currency && amount > 0 && fits(amount, country.decimals),
    async start(checkout) {
      const { reference } = checkout
      const body = preferenceOf(checkout, country, now())
      const { id, url: page } = await createPreference(ask, body, { key: keyOf(reference), live })
      return { providerRef: id, step: { kind: 'redirect', url: page } }
    },
    /** The browser is back: the checkout ends. Without a payment that is decided or under way it has failed. */
    async complete(payment, { payment: named }) {
      // The search may lag behind; what the browser names is believed only where it carries our reference.
      const told = named === undefined ? null : await paymentAt(ask, named)
      const own = told?.external_reference === payment.reference ? [told] : []
      const before = foundAmong(own, live) ?? (await verify(payment))
      const { providerRef } = payment
      const isEnded = providerRef !== null && (await endPreference(ask, providerRef, now()))
      if (before.state !== 'pending' || foundAmong(own, live) !== null || !isEnded) {
        return { kind: 'found', found: before }
      }
      // Nobody can pay it any more: what is not there now never comes.
      const found = foundAmong(await paymentsOf(ask, payment.reference), live) ?? { state: 'failed' }
      return { kind: 'found', found }
    },
    async readReturn({ query }, { reference }) {
      const theirs = query.get('external_reference')
      if (theirs !== null && theirs !== 'null' && theirs !== reference) {
        return { kind: 'refused', why: 'another reference' }
      }
      const named = query.get('payment_id') ?? ''
      const complete: Record<string, string> = /^\d+$/.test(named) ? { payment: named } : {}
      return { kind: 'back', news: null, complete }
    },
    readWebhook: (message) => readMercadopagoEvent(message, { ask, secret }),
    verify,
    ...mercadopagoRefunds(ask),
  }
}
