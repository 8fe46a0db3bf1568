import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  createVerify,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startServer } from './loopback.ts'

/** How a service responds: a status, with a Retry-After header if given; no response; or a closed connection. */
export type Reaction = number | { status: number; retryAfter: string } | 'hang' | 'reset'

/** A message that a browser received, decrypted. */
export interface Received {
  content: unknown
  headers: { ttl: string; urgency: string; topic: string }
  at: number
}

export interface Browser {
  /** As `PushSubscription.toJSON()` returns it. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** What was accepted for it, oldest first. */
  received: Received[]
  /** The responses to its next messages; then 201. */
  reactions: Reaction[]
  /** Attempts, accepted or not. */
  attempts: number
}

export interface WebPushService {
  /** With the port, for the configuration PUSH_HOSTS. */
  host: string
  /** A new browser, subscribed with the server's VAPID public key. */
  subscribe(applicationServerKey: string): Browser
  close(): Promise<void>
}

/**
 * A push service on loopback together with its browsers: it checks VAPID (RFC 8292) and decrypts messages (RFC 8291) as
 * real ones do. A message that is wrong is refused with 400 or 403.
 */
export async function startWebPushService(): Promise<WebPushService> {
  const browsers = new Map<string, Browser & { serverKey: string; open(body: Buffer): unknown }>()
  const { host, close } = await startServer(async (request, response, body) => {
    const browser = browsers.get(request.url ?? '')
    if (browser === undefined) return void response.writeHead(404).end()
    browser.attempts += 1
    if (react(response, browser.reactions.shift() ?? 201, (status) => status < 300)) return
    if (!isSigned(request, host, browser.serverKey)) return void response.writeHead(403).end()
    const { ttl, urgency, topic } = request.headers as Record<string, string>
    try {
      const content = browser.open(body)
      browser.received.push({
        content,
        headers: { ttl: ttl ?? '', urgency: urgency ?? '', topic: topic ?? '' },
        at: performance.now(),
      })
    } catch {
      return void response.writeHead(400).end()
    }
    response.writeHead(201).end()
  })
  return {
    host,
    close,
    subscribe: (serverKey) => {
      const path = `/push/${randomUUID()}`
      const { keys, open } = newReceiver()
      const browser = {
        subscription: { endpoint: `http://${host}${path}`, keys },
        received: [],
        reactions: [],
        attempts: 0,
        serverKey,
        open,
      }
      browsers.set(path, browser)
      return browser
    },
  }
}

/** The keys of a subscription, and the function that decrypts its messages. */
function newReceiver() {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  const own = ecdh.getPublicKey()
  const open = (body: Buffer): unknown => {
    const salt = body.subarray(0, 16)
    const idLength = body.readUInt8(20)
    const sender = body.subarray(21, 21 + idLength)
    const sealed = body.subarray(21 + idLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
    const input = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', input, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
    decipher.setAuthTag(sealed.subarray(-16))
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    // The last record ends with 0x02 and padding (RFC 8188, section 2).
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
  }
  return { keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') }, open }
}

/** True if the request has a VAPID token of the server that the browser subscribed with. */
function isSigned({ headers }: IncomingMessage, host: string, serverKey: string): boolean {
  const { t = '', k } =
    /^vapid t=(?<t>[^,\s]+), *k=(?<k>\S+)$/.exec(headers.authorization ?? '')?.groups ?? {}
  if (k !== serverKey) return false
  const [head = '', payload = '', signature = ''] = t.split('.')
  const point = Buffer.from(serverKey, 'base64url')
  const key = createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    format: 'jwk',
  })
  const isValid = createVerify('sha256')
    .update(`${head}.${payload}`)
    .verify({ key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  const { aud, exp, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const leftS = exp - Date.now() / 1000
  return isValid && aud === `http://${host}` && leftS > 0 && leftS <= 86_400 && /^(https|mailto):/.test(sub)
}

/** Reacts unless the message is to be accepted; true if it did. */
function react(
  response: ServerResponse,
  reaction: Reaction,
  isAccepted: (status: number) => boolean,
): boolean {
  if (reaction === 'hang') return true
  if (reaction === 'reset') {
    response.destroy()
    return true
  }
  const { status, retryAfter } =
    typeof reaction === 'number' ? { status: reaction, retryAfter: undefined } : reaction
  if (isAccepted(status)) return false
  response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
  return true
}
