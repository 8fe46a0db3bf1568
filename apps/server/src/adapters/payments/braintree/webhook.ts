import { createHash, createHmac } from 'node:crypto'
import type { BraintreeGateway } from 'braintree'
import type { IncomingMessage, MessageReading } from '../port.ts'
import { sameText } from '../same-text.ts'

export interface SigningKeys {
  publicKey: string
  privateKey: string
}

/** Hexadecimal HMAC-SHA1 with the raw SHA-1 of the private key as the key, as the vendor's client makes it. */
export function braintreeSignature(text: string, privateKey: string): string {
  const key = createHash('sha1').update(privateKey).digest()
  return createHmac('sha1', key).update(text).digest('hex')
}

/** The answer when Braintree tries the address with `?bt_challenge=`. */
export const challengeAnswer = (challenge: string, { publicKey, privateKey }: SigningKeys): string =>
  `${publicKey}|${braintreeSignature(challenge, privateKey)}`

/** Whether one of the pairs `publicKey|hex` that are joined by `&` is ours and right. */
export function isSigned(
  signature: string,
  payload: string,
  { publicKey, privateKey }: SigningKeys,
): boolean {
  const ours = signature
    .split('&')
    .map((pair) => pair.split('|'))
    .find(([key]) => key === publicKey)?.[1]
  if (ours === undefined) return false
  return [payload, `${payload}\n`].some((text) => sameText(ours, braintreeSignature(text, privateKey)))
}

/** About a transaction; what else is not about a dispute is about nothing that we keep. */
const kinds = ['transaction_settled', 'transaction_settlement_declined', 'transaction_disbursed']

/**
 * Reads a message: form fields `bt_signature` and `bt_payload` (base64 of XML). The answers to challenges are signed with
 * the same key, so whatever a challenge could be (plain hexadecimal) is no payload.
 */
export async function readWebhook(
  { method, query, body }: IncomingMessage,
  keys: SigningKeys,
  gateway: BraintreeGateway,
): Promise<MessageReading> {
  const challenge = query.get('bt_challenge')
  if (method === 'GET') {
    return challenge !== null && /^[0-9a-f]{20,32}$/.test(challenge)
      ? { kind: 'answer', body: challengeAnswer(challenge, keys) }
      : { kind: 'refused', why: 'no challenge' }
  }
  const form = new URLSearchParams(body.toString('utf8'))
  const [signature, payload] = [form.get('bt_signature') ?? '', form.get('bt_payload') ?? '']
  const isPayload = /^[A-Za-z0-9+/=\n]+$/.test(payload) && !/^[0-9a-f\n]+$/.test(payload)
  if (!isPayload || !isSigned(signature, payload, keys)) return { kind: 'refused', why: 'signature' }

  const notice = await gateway.webhookNotification.parse(signature, payload).catch(() => null)
  if (notice === null) return { kind: 'refused', why: 'unknown content' }
  if ('dispute' in notice && notice.kind.startsWith('dispute_')) {
    const { id, transaction } = notice.dispute
    const named = { reference: null, providerRef: null, providerId: transaction.id }
    return { kind: 'news', news: { eventKey: `${notice.kind}:${id}`, ...named, goesBack: true } }
  }
  if (!('transaction' in notice) || !kinds.includes(notice.kind)) {
    return { kind: 'ignored', eventKey: createHash('sha256').update(payload).digest('hex') }
  }
  const { id, orderId } = notice.transaction
  const news = { reference: orderId || null, providerRef: null, providerId: id }
  return { kind: 'news', news: { eventKey: `${notice.kind}:${id}`, ...news } }
}
