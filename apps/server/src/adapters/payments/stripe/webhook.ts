import Stripe from 'stripe'
import { z } from 'zod'
import type { IncomingMessage, MessageReading } from '../port.ts'

/** Maximum age or lead of a signature's time, s: the vendor's limit. */
const tolerance = 300

const session = z.object({
  id: z.string(),
  client_reference_id: z.string().nullable(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
})

/** A refunded or disputed charge. */
const returnedCharge = z.object({ payment_intent: z.union([z.string(), z.object({ id: z.string() })]) })
const returnEvents = /^charge\.(refunded|dispute\.(created|closed|funds_withdrawn|funds_reinstated))$/

const event = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
})

/**
 * Reads a Stripe event: `Stripe-Signature: t=<s>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">[,v1=...]`, verified by the
 * library. Events about checkout sessions, refunds and disputes are reported; all others are ignored.
 */
export function readStripeEvent(message: IncomingMessage, secret: string, live: boolean): MessageReading {
  const header = message.headers['stripe-signature'] ?? ''
  let signed: unknown
  try {
    signed = Stripe.webhooks.constructEvent(message.body, header, secret, tolerance, undefined, message.at)
  } catch {
    return { kind: 'refused', why: 'invalid signature or too old' }
  }
  // The library accepts times in the future.
  const time = Number(/(?:^|,)t=(\d+)/.exec(header)?.[1]) * 1000
  if (!(time - message.at <= tolerance * 1000)) return { kind: 'refused', why: 'signed in the future' }
  const read = event.safeParse(signed)
  if (!read.success) return { kind: 'refused', why: 'not an event' }
  const { id: eventKey, type, livemode, data } = read.data
  if (livemode !== live) return { kind: 'refused', why: 'wrong mode' }
  if (returnEvents.test(type)) {
    const back = returnedCharge.safeParse(data.object)
    if (!back.success) return { kind: 'ignored', eventKey }
    const providerId = idOf(back.data.payment_intent)
    return {
      kind: 'event',
      event: { eventKey, reference: null, providerRef: null, providerId, isReversal: true },
    }
  }
  if (!type.startsWith('checkout.session.')) return { kind: 'ignored', eventKey }
  const about = session.safeParse(data.object)
  if (!about.success || about.data.client_reference_id === null) return { kind: 'ignored', eventKey }
  const { id, client_reference_id: reference, payment_intent: intent } = about.data
  const providerId = intent == null ? null : idOf(intent)
  return { kind: 'event', event: { eventKey, reference, providerRef: id, providerId } }
}

const idOf = (one: string | { id: string }): string => (typeof one === 'string' ? one : one.id)
