import { createHash, createHmac } from 'node:crypto'
import type { BraintreeGateway } from 'braintree'
import { timingSafeEqualText } from '../http.ts'
import type { IncomingMessage, MessageReading } from '../port.ts'

export interface SigningKeys {
  publicKey: string
  privateKey: string
}

/** Hexadecimal HMAC-SHA1 keyed with the raw SHA-1 of the private key, same as the vendor's client. */
export function braintreeSignature(text: string, privateKey: string): string {
  const key = createHash('sha1').update(privateKey).digest()
  return createHmac('sha1', key).update(text).digest('hex')
}

/** The response when Braintree verifies the webhook URL with `?bt_challenge=`. */
export const challengeAnswer = (challenge: string, { publicKey, privateKey }: SigningKeys): string =>
  `${publicKey}|${braintreeSignature(challenge, privateKey)}`

/** Whether our pair among the `publicKey|hex` pairs, joined by `&`, has a valid signature. */
export function isSigned(
  signature: string,
  payload: string,
  { publicKey, privateKey }: SigningKeys,
): boolean {
  const signed = signature
    .split('&')
    .map((pair) => pair.split('|'))
    .find(([key]) => key === publicKey)?.[1]
  if (signed === undefined) return false
  return [payload, `${payload}\n`].some((text) =>
    timingSafeEqualText(signed, braintreeSignature(text, privateKey)),
  )
}

/** Events about transactions. All others, except disputes, are ignored. */
const kinds = ['transaction_settled', 'transaction_settlement_declined', 'transaction_disbursed']

/**
 * Reads a webhook: form fields `bt_signature` and `bt_payload` (base64 of XML). Challenge responses are signed with the
 * same key, so a payload that could be a challenge (plain hexadecimal) is refused.
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
      : { kind: 'refused', why: 'missing challenge' }
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
    return { kind: 'event', event: { eventKey: `${notice.kind}:${id}`, ...named, isReversal: true } }
  }
  if (!('transaction' in notice) || !kinds.includes(notice.kind)) {
    return { kind: 'ignored', eventKey: createHash('sha256').update(payload).digest('hex') }
  }
  const { id, orderId } = notice.transaction
  const attempt = { reference: orderId || null, providerRef: null, providerId: id }
  return { kind: 'event', event: { eventKey: `${notice.kind}:${id}`, ...attempt } }
}
