import { createHash } from 'node:crypto'
import { isPushEndpoint } from '@hansom/domain/devices/device'
import webPush from 'web-push'
import { type PushAccepted, PushError, type PushMessage } from './port.ts'
import { postToService } from './post.ts'

export interface VapidKeys {
  /** Base64url of an uncompressed P-256 point. */
  publicKey: string
  /** Base64url, 32 bytes. */
  privateKey: string
}

export interface WebPushOptions {
  keys: VapidKeys
  /** Whom a push service can contact about this server: an https or mailto URL. */
  subject: string
  /** Hosts of push services in addition to the known ones. */
  hosts: readonly string[]
  timeoutMs?: number
}

/** How long a signed token is used, ms; it is valid for twice as long (RFC 8292 allows 24 hours). */
const tokenMs = 6 * 3_600_000
const maxTokens = 100

/**
 * Sends to browsers by the web push protocol (RFC 8030) with encrypted payloads (RFC 8291) and VAPID (RFC 8292). The
 * token for a push service is signed once and reused.
 */
export function webPushSender({ keys, subject, hosts, timeoutMs = 10_000 }: WebPushOptions) {
  const tokens = new Map<string, { header: string; at: number }>()

  function authorization(audience: string): string {
    const known = tokens.get(audience)
    if (known !== undefined && performance.now() - known.at < tokenMs) return known.header
    const expiration = Math.floor((Date.now() + 2 * tokenMs) / 1000)
    const { Authorization: header } = webPush.getVapidHeaders(
      audience,
      subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
      expiration,
    )
    tokens.set(audience, { header, at: performance.now() })
    if (tokens.size > maxTokens) tokens.delete(tokens.keys().next().value ?? '')
    return header
  }

  return async ({ target, content, urgency, ttlS, tag }: PushMessage): Promise<PushAccepted> => {
    const { token: endpoint, p256dh, auth } = target
    const url = URL.canParse(endpoint) ? new URL(endpoint) : null
    if (url === null || !isPushEndpoint(url, hosts)) {
      throw new PushError('the endpoint is not on a known push service', 'refused')
    }
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh: p256dh ?? '', auth: auth ?? '' } },
      JSON.stringify(content),
      { TTL: ttlS, urgency, topic: topicOf(tag), contentEncoding: 'aes128gcm' },
    )
    const { status } = await postToService(endpoint, {
      // fetch sets the length.
      headers: { ...textHeaders(headers), authorization: authorization(url.origin) },
      body: new Uint8Array(body ?? []),
      timeoutMs,
    })
    if (status === 404 || status === 410) throw new PushError('the subscription has ended', 'unregistered')
    if (status < 200 || status >= 300) throw new PushError(`the push service returned ${status}`, 'refused')
    return { receipt: null }
  }
}

/** At most 32 characters of base64url (RFC 8030, section 5.4). */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

function textHeaders(headers: Record<string, unknown>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
