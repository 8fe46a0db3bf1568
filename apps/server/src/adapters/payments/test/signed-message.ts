import { createHmac } from 'node:crypto'
import { sameText } from '../same-text.ts'

/** What a message of the test provider says. It pays nothing: the books are asked. */
export interface TestMessage {
  reference: string
  /** Names the event: the same for each delivery of it. */
  event: string
  /** Epoch ms of the world's clock. */
  issuedAt: number
}

const freshMs = 15 * 60_000

/** The fields of a return or a webhook: `payload`, base64url of JSON, and `signature`, hex HMAC-SHA256 of it. */
export function signMessage(message: TestMessage, secret: string): { payload: string; signature: string } {
  const payload = Buffer.from(JSON.stringify(message)).toString('base64url')
  return { payload, signature: signatureOf(payload, secret) }
}

/** The message, or in a few words why it is not believed. Older than a quarter of an hour, it is somebody else's copy. */
export function readSigned(fields: URLSearchParams, secret: string, now: number): TestMessage | string {
  const payload = fields.get('payload') ?? ''
  if (!sameText(fields.get('signature') ?? '', signatureOf(payload, secret))) return 'wrong signature'
  const message = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TestMessage
  return Math.abs(now - message.issuedAt) > freshMs ? 'too old' : message
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex')
}
