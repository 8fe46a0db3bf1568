import type { IncomingMessage, MessageReading } from '../port.ts'
import type { CallMercadopago } from './api.ts'
import { paymentAt } from './payments.ts'
import { signedAt } from './signature.ts'

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
  return { kind: 'news', event: { eventKey, ...named, ...(goesBack && { isReversal: goesBack }) } }
}
