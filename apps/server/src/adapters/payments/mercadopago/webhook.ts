import { createHmac } from 'node:crypto'
import { timingSafeEqualText } from '../http.ts'
import type { IncomingMessage, MessageReading } from '../port.ts'
import { type CallMercadopago, paymentAt } from './api.ts'

/** Maximum age of a notification, ms: Mercado Pago retries for days. */
const oldest = 5 * 24 * 3_600_000
/** Maximum lead of its clock, ms. */
const ahead = 300_000

/**
 * Reads a Mercado Pago notification. The signature covers the payment's id but not the body, so the payment is loaded
 * from the API. Throws PaymentError if that fails, so that Mercado Pago sends the notification again.
 */
export async function readMercadopagoEvent(
  message: IncomingMessage,
  { ask, secret }: { ask: CallMercadopago; secret: string },
): Promise<MessageReading> {
  const dataId = message.query.get('data.id')
  const requestId = message.headers['x-request-id'] ?? null
  const at = signedAt(message.headers['x-signature'] ?? '', { dataId, requestId }, secret)
  if (at === null) return { kind: 'refused', why: 'invalid signature' }
  if (at < message.at - oldest || at > message.at + ahead) return { kind: 'refused', why: 'too old' }
  // Only signed parts, so that an old notification cannot be replayed as a new one.
  const eventKey = `${dataId}-${requestId}-${at}`
  if (message.query.get('type') !== 'payment' || dataId === null) return { kind: 'ignored', eventKey }
  const payment = await paymentAt(ask, dataId)
  if (!payment?.external_reference) return { kind: 'ignored', eventKey }
  const { id: providerId, external_reference: reference, status, transaction_amount_refunded: back } = payment
  const goesBack = status === 'charged_back' || status === 'refunded' || (back ?? 0) > 0
  const named = { reference, providerRef: null, providerId }
  return { kind: 'event', event: { eventKey, ...named, ...(goesBack && { isReversal: goesBack }) } }
}

/** The signed parts of a notification; its body is not signed. */
interface SignedParts {
  /** `data.id` of the URL. */
  dataId: string | null
  /** The header `x-request-id`. */
  requestId: string | null
}

/**
 * The text that Mercado Pago signs, from its page "Webhooks": parts without a value are omitted, the id is in lower
 * case, and the time is unchanged.
 */
export function manifestOf({ dataId, requestId }: SignedParts, ts: string): string {
  const id = dataId === null ? '' : `id:${dataId.toLowerCase()};`
  const request = requestId === null ? '' : `request-id:${requestId};`
  return `${id}${request}ts:${ts};`
}

/** Hex HMAC-SHA256 of a manifest. */
export function signatureOf(manifest: string, secret: string): string {
  return createHmac('sha256', secret).update(manifest).digest('hex')
}

/**
 * When a notification was signed, epoch ms, from the header `x-signature: ts=<s or ms>,v1=<hex>`; null if the signature
 * is invalid.
 */
export function signedAt(header: string, parts: SignedParts, secret: string): number | null {
  const fields = new Map(
    header.split(',').map((field): [string, string] => {
      const [name = '', value = ''] = field.split('=', 2)
      return [name.trim(), value.trim()]
    }),
  )
  const [ts = '', given = ''] = [fields.get('ts'), fields.get('v1')]
  if (secret === '' || !/^(\d{10}|\d{13})$/.test(ts)) return null
  if (!timingSafeEqualText(signatureOf(manifestOf(parts, ts), secret), given)) return null
  return ts.length === 10 ? Number(ts) * 1000 : Number(ts)
}
