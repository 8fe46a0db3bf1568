import { createHmac } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/** A message of the test provider. It settles nothing: the stored payment decides. */
export interface TestMessage {
  reference: string
  /** Event id: the same for each delivery. */
  event: string
  /** Epoch ms, real time. */
  issuedAt: number
}

const freshMs = 15 * 60_000

/** The fields of a return or a webhook: `payload`, base64url of JSON, and `signature`, its hex HMAC-SHA256. */
export function signMessage(message: TestMessage, secret: string): { payload: string; signature: string } {
  const payload = Buffer.from(JSON.stringify(message)).toString('base64url')
  return { payload, signature: signatureOf(payload, secret) }
}

/** The message, or the reason why it is refused. A message older than 15 minutes is refused as a replay. */
export function readSigned(fields: URLSearchParams, secret: string, now: number): TestMessage | string {
  const payload = fields.get('payload') ?? ''
  if (!timingSafeEqualText(fields.get('signature') ?? '', signatureOf(payload, secret)))
    return 'wrong signature'
  const message = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TestMessage
  return Math.abs(now - message.issuedAt) > freshMs ? 'too old' : message
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex')
}
