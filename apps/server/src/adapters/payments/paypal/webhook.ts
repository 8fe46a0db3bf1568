import { createVerify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { IncomingMessage, MessageReading } from '../port.ts'
import type { FindPaypalKey } from './certificates.ts'

const event = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.object({
    id: z.string(),
    custom_id: z.string().optional(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
    purchase_units: z.array(z.object({ custom_id: z.string().optional() })).optional(),
    supplementary_data: z
      .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
      .optional(),
  }),
})

/** Maximum age of a message, ms: PayPal retries for three days. */
const oldest = 4 * 24 * 3_600_000

/**
 * Reads a PayPal event, signed with RSA-SHA256 over "<id>|<time>|<our webhook's id>|<CRC-32 of the raw body>" and a
 * certificate from PayPal's hosts. Sends no request with our credentials. Throws the errors of `FindPaypalKey`.
 */
export async function readPaypalEvent(
  { headers, body, at }: IncomingMessage,
  { findKey, webhookId }: { findKey: FindPaypalKey; webhookId: string },
): Promise<MessageReading> {
  const read = event.safeParse(parseJson(body.toString('utf8')))
  if (!read.success) return { kind: 'refused', why: 'not an event' }
  const part = (name: string) => headers[`paypal-${name}`] ?? ''
  if (part('auth-algo') !== 'SHA256withRSA') return { kind: 'refused', why: 'unknown signature algorithm' }
  const time = part('transmission-time')
  if (!(Math.abs(at - Date.parse(time)) <= oldest)) return { kind: 'refused', why: 'too old' }
  const signature = part('transmission-sig')
  if (!/^[A-Za-z0-9+/]{300,1000}={0,2}$/.test(signature)) return { kind: 'refused', why: 'missing signature' }
  const key = await findKey(part('cert-url'), at)
  if (key === null) return { kind: 'refused', why: 'not a PayPal certificate' }
  const signed = `${part('transmission-id')}|${time}|${webhookId}|${crc32(body)}`
  if (!createVerify('sha256').update(signed).verify(key, signature, 'base64')) {
    return { kind: 'refused', why: 'invalid signature' }
  }
  return about(read.data)
}

function about({ id: eventKey, event_type: type, resource }: z.infer<typeof event>): MessageReading {
  if (type.startsWith('CHECKOUT.')) {
    const reference = resource.purchase_units?.[0]?.custom_id ?? null
    return { kind: 'event', event: { eventKey, reference, providerRef: resource.id, providerId: null } }
  }
  if (/^PAYMENT\.(CAPTURE\.(REFUNDED|REVERSED)|REFUND\.)/.test(type)) {
    // The resource is the refund; its link `up` names the capture.
    const up = resource.links?.find(({ rel }) => rel === 'up')?.href ?? ''
    const providerId = /\/captures\/(\w+)$/.exec(up)?.[1] ?? null
    if (providerId === null) return { kind: 'ignored', eventKey }
    return {
      kind: 'event',
      event: { eventKey, reference: null, providerRef: null, providerId, isReversal: true },
    }
  }
  if (type.startsWith('PAYMENT.CAPTURE.')) {
    const providerRef = resource.supplementary_data?.related_ids?.order_id ?? null
    const reference = resource.custom_id ?? null
    if (reference === null && providerRef === null) return { kind: 'ignored', eventKey }
    return { kind: 'event', event: { eventKey, reference, providerRef, providerId: resource.id } }
  }
  return { kind: 'ignored', eventKey }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
