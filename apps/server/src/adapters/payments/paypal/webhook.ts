import { z } from 'zod'
import type { IncomingMessage, MessageReading } from '../port.ts'
import type { AskPaypal } from './api.ts'

const event = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.object({
    id: z.string(),
    custom_id: z.string().optional(),
    purchase_units: z.array(z.object({ custom_id: z.string().optional() })).optional(),
    supplementary_data: z
      .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
      .optional(),
  }),
})

const verdict = z.object({ verification_status: z.string() })

const signatureParts = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const

/** How long ago a message may have been sent, ms: PayPal repeats one for three days. */
const oldest = 4 * 24 * 3_600_000

/**
 * Reads an event of PayPal, and has PayPal itself say whether it is one (`verify-webhook-signature`). Throws PaymentError
 * when PayPal cannot be asked: the event has to be sent again.
 *
 * Its word is preferred to a check of our own with its certificate: there is no certificate to fetch, to trust, to keep and
 * to see expire, and the same service is asked about the order right after.
 */
export async function readPaypalEvent(
  message: IncomingMessage,
  { ask, webhookId }: { ask: AskPaypal; webhookId: string },
): Promise<MessageReading> {
  const text = message.body.toString('utf8')
  const read = event.safeParse(parsed(text))
  if (!read.success) return { kind: 'refused', why: 'not an event' }
  const parts: Record<string, string> = { webhook_id: webhookId }
  for (const [field, header] of Object.entries(signatureParts)) {
    const value = message.headers[header]
    if (value === undefined || value === '') return { kind: 'refused', why: `no ${header}` }
    parts[field] = value
  }
  // Whatever is plainly not PayPal's costs no question.
  if (!isPaypalHost(parts.cert_url)) return { kind: 'refused', why: "a certificate of nobody's" }
  const age = message.at - Date.parse(parts.transmission_time ?? '')
  if (!(Math.abs(age) <= oldest)) return { kind: 'refused', why: 'too old' }

  const answer = await ask('/v1/notifications/verify-webhook-signature', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // The event stays letter for letter what came: written anew it would have another checksum.
    body: `${JSON.stringify(parts).slice(0, -1)},"webhook_event":${text}}`,
  })
  const said = verdict.safeParse(answer.json)
  if (!said.success || said.data.verification_status !== 'SUCCESS') {
    return { kind: 'refused', why: 'not signed by paypal for our webhook' }
  }
  return about(read.data)
}

function about({ id: eventKey, event_type: type, resource }: z.infer<typeof event>): MessageReading {
  if (type.startsWith('CHECKOUT.')) {
    const reference = resource.purchase_units?.[0]?.custom_id ?? null
    return { kind: 'news', news: { eventKey, reference, providerRef: resource.id, providerId: null } }
  }
  // A refund's own `id` is no capture.
  if (type.startsWith('PAYMENT.CAPTURE.') && !/REFUNDED|REVERSED/.test(type)) {
    const providerRef = resource.supplementary_data?.related_ids?.order_id ?? null
    const reference = resource.custom_id ?? null
    if (reference === null && providerRef === null) return { kind: 'ignored', eventKey }
    return { kind: 'news', news: { eventKey, reference, providerRef, providerId: resource.id } }
  }
  return { kind: 'ignored', eventKey }
}

function isPaypalHost(text: string | undefined): boolean {
  if (text === undefined || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' && (hostname === 'paypal.com' || hostname.endsWith('.paypal.com'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
