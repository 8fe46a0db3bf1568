import { z } from 'zod'
import { type Checkout, PaymentError } from '../port.ts'
import { toText } from '../units.ts'
import { type CallMercadopago, type mercadopagoSites, refusalError } from './api.ts'

type Site = (typeof mercadopagoSites)[keyof typeof mercadopagoSites]

const preference = z.object({
  id: z.string(),
  init_point: z.string().optional(),
  sandbox_init_point: z.string().optional(),
})

/** How long a checkout can be paid, ms. */
const validity = 24 * 3_600_000

const timeText = (at: number) => new Date(at).toISOString().replace('Z', '+00:00')

/**
 * The body of a new preference. Excludes payment methods that are paid at a counter days later, too late for a ride.
 */
export function preferenceOf(checkout: Checkout, { currency, decimals }: Site, now: number) {
  const { reference, amount, description, payer, returnUrl } = checkout
  const { firstName, lastName, email, phone } = payer
  return {
    items: [
      {
        id: reference,
        title: description.slice(0, 250),
        quantity: 1,
        currency_id: currency,
        unit_price: Number(toText(amount, decimals)),
      },
    ],
    payer: {
      name: firstName,
      surname: lastName,
      ...(email === '' ? {} : { email }),
      ...(phone === null ? {} : { phone: { number: phone } }),
    },
    payment_methods: { excluded_payment_types: [{ id: 'ticket' }, { id: 'atm' }] },
    back_urls: { success: returnUrl, pending: returnUrl, failure: returnUrl },
    // Mercado Pago does not redirect to a URL without TLS and rejects the whole request.
    ...(returnUrl.startsWith('https:') ? { auto_return: 'approved' } : {}),
    external_reference: reference,
    metadata: { payer: payer.id },
    expires: true,
    expiration_date_to: timeText(now + validity),
  }
}

/** Creates a preference; returns its id and the URL of its page. Throws PaymentError. */
export async function createPreference(
  ask: CallMercadopago,
  body: ReturnType<typeof preferenceOf>,
  { key, live }: { key: string; live: boolean },
): Promise<{ id: string; url: string }> {
  const answer = await ask('/checkout/preferences', {
    method: 'POST',
    headers: { 'x-idempotency-key': key },
    body,
  })
  if (answer.status >= 300) throw refusalError('the preference', answer)
  const read = preference.safeParse(answer.json)
  const url = read.success && (live ? read.data.init_point : read.data.sandbox_init_point)
  if (!url) throw new PaymentError('mercadopago returned no page', { permanent: true })
  return { id: read.data.id, url }
}

const term = z.object({ expires: z.boolean().nullish(), expiration_date_to: z.string().nullish() })

/** When a preference expires, epoch ms; null if never or unknown. Throws PaymentError. */
export async function preferenceExpiry(ask: CallMercadopago, id: string): Promise<number | null> {
  const read = term.safeParse((await ask(`/checkout/preferences/${encodeURIComponent(id)}`)).json)
  if (!read.success || !read.data.expires) return null
  const end = Date.parse(read.data.expiration_date_to ?? '')
  return Number.isNaN(end) ? null : end
}

/**
 * Closes a preference, so that an old tab cannot pay it. Returns false if it could not be closed. Throws PaymentError.
 */
export async function expirePreference(ask: CallMercadopago, id: string, now: number): Promise<boolean> {
  const answer = await ask(`/checkout/preferences/${encodeURIComponent(id)}`, {
    method: 'PUT',
    body: { expires: true, expiration_date_to: timeText(now) },
  })
  return answer.status < 300
}
