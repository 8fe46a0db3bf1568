import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { IncomingMessage, MessageReading } from '../port.ts'
import { timingSafeEqualText } from '../timing-safe-equal.ts'
import { charge, referenceOf, refund } from './charge.ts'

export interface WebhookAccount {
  user: string
  password: string
}

const event = z.object({ object: z.literal('event'), id: z.string(), type: z.string(), data: z.unknown() })

/**
 * Reads a webhook from Culqi. Webhooks are not signed: HTTP Basic authentication with user and password from the panel
 * is the only proof, so a webhook only triggers a status check. Without an account, every webhook is refused.
 */
export function readWebhook(
  { headers, body }: IncomingMessage,
  account: WebhookAccount | null,
): MessageReading {
  if (account === null) return { kind: 'refused', why: 'no webhook account configured' }
  const expected = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  if (!timingSafeEqualText(headers.authorization ?? '', expected))
    return { kind: 'refused', why: 'wrong user or password' }
  const parsed = event.safeParse(parsedJson(body.toString('utf8')))
  if (!parsed.success) return { kind: 'ignored', eventKey: createHash('sha256').update(body).digest('hex') }
  const { id, type, data } = parsed.data
  const content = typeof data === 'string' ? parsedJson(data) : data
  const back = refund.safeParse(content)
  if (type.startsWith('refund.') && back.success) {
    const named = { reference: null, providerRef: null, providerId: back.data.charge_id }
    return { kind: 'event', event: { eventKey: id, ...named, isReversal: true } }
  }
  const about = charge.safeParse(content)
  if (!type.startsWith('charge.') || !about.success) return { kind: 'ignored', eventKey: id }
  const attempt = { reference: referenceOf(about.data), providerRef: null, providerId: about.data.id }
  return { kind: 'event', event: { eventKey: id, ...attempt } }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
