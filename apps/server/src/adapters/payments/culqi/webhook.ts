import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { IncomingMessage, MessageReading } from '../port.ts'
import { sameText } from '../same-text.ts'
import { charge, referenceOf, refund } from './word.ts'

export interface WebhookAccount {
  user: string
  password: string
}

const event = z.object({ object: z.literal('event'), id: z.string(), type: z.string(), data: z.unknown() })

/**
 * Reads a message of Culqi. None of them is signed: HTTP Basic, with user and password of the panel, is all that tells
 * them from others, so they only say what to ask about. Without an account every message is refused.
 */
export function readWebhook(
  { headers, body }: IncomingMessage,
  account: WebhookAccount | null,
): MessageReading {
  if (account === null) return { kind: 'refused', why: 'no account for messages' }
  const expected = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  if (!sameText(headers.authorization ?? '', expected)) return { kind: 'refused', why: 'user or password' }
  const parsed = event.safeParse(parsedJson(body.toString('utf8')))
  if (!parsed.success) return { kind: 'ignored', eventKey: createHash('sha256').update(body).digest('hex') }
  const { id, type, data } = parsed.data
  const content = typeof data === 'string' ? parsedJson(data) : data
  const back = refund.safeParse(content)
  if (type.startsWith('refund.') && back.success) {
    const named = { reference: null, providerRef: null, providerId: back.data.charge_id }
    return { kind: 'news', news: { eventKey: id, ...named, goesBack: true } }
  }
  const about = charge.safeParse(content)
  if (!type.startsWith('charge.') || !about.success) return { kind: 'ignored', eventKey: id }
  const news = { reference: referenceOf(about.data), providerRef: null, providerId: about.data.id }
  return { kind: 'news', news: { eventKey: id, ...news } }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
