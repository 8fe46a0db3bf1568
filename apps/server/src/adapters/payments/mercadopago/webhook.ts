import type { IncomingMessage, MessageReading } from '../port.ts'
import type { AskMercadopago } from './api.ts'
import { paymentAt } from './payments.ts'
import { signedAt } from './signature.ts'

/** How old a notification may be, ms: Mercado Pago repeats one for days. */
const oldest = 5 * 24 * 3_600_000
/** How far ahead its clock may be, ms. */
const ahead = 300_000

/**
 * Reads a notification of Mercado Pago. Its signature covers the id of a payment and nothing of the body, so the payment is
 * asked for what it belongs to. Throws PaymentError when it cannot be asked: the notification has to be sent again.
 */
export async function readMercadopagoEvent(
  message: IncomingMessage,
  { ask, secret }: { ask: AskMercadopago; secret: string },
): Promise<MessageReading> {
  const dataId = message.query.get('data.id')
  const requestId = message.headers['x-request-id'] ?? null
  const at = signedAt(message.headers['x-signature'] ?? '', { dataId, requestId }, secret)
  if (at === null) return { kind: 'refused', why: 'not signed with our secret' }
  if (at < message.at - oldest || at > message.at + ahead) return { kind: 'refused', why: 'too old' }
  // Only what is signed names it, so that nobody makes a new message of an old one.
  const eventKey = `${dataId}-${requestId}-${at}`
  if (message.query.get('type') !== 'payment' || dataId === null) return { kind: 'ignored', eventKey }
  const payment = await paymentAt(ask, dataId)
  if (!payment?.external_reference) return { kind: 'ignored', eventKey }
  const { id: providerId, external_reference: reference, status, transaction_amount_refunded: back } = payment
  const goesBack = status === 'charged_back' || status === 'refunded' || (back ?? 0) > 0
  const named = { reference, providerRef: null, providerId }
  return { kind: 'news', news: { eventKey, ...named, ...(goesBack && { goesBack }) } }
}
