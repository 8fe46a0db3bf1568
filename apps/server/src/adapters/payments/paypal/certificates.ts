import { type KeyObject, X509Certificate } from 'node:crypto'
import { callProvider } from '../http.ts'
import { PaymentError } from '../port.ts'

/** Hosts of the certificates that sign events. */
const certificateHosts = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
}

const cacheMs = 24 * 3_600_000
/** More certificates than PayPal uses at the same time. */
const maxCached = 8
/** Rate limit of certificate requests to PayPal, per minute, however many forged messages arrive. */
const maxFetchesPerMinute = 6

interface CachedKey {
  key: KeyObject
  until: number
}

/** Finds the public key of a certificate by its URL. Null if the URL or the certificate is not PayPal's. */
export type FindPaypalKey = (certUrl: string, at: number) => Promise<KeyObject | null>

/**
 * Certificates of PayPal, each fetched once a day, only from PayPal's hosts. Throws PaymentError if one cannot be
 * fetched or the rate limit is reached, so that PayPal sends the event again.
 */
export function paypalCertificates({ live, url }: { live: boolean; url: string }): FindPaypalKey {
  const hosts = certificateHosts[live ? 'live' : 'sandbox']
  const isOwn = new URL(url).hostname.endsWith('.paypal.com')
  const cache = new Map<string, CachedKey>()
  const pending = new Map<string, Promise<KeyObject | null>>()
  let windowStart = -Infinity
  let fetches = 0

  const isWithinLimit = (): boolean => {
    const now = performance.now()
    if (now - windowStart > 60_000) {
      windowStart = now
      fetches = 0
    }
    fetches += 1
    return fetches <= maxFetchesPerMinute
  }

  const fetchKey = async (certUrl: string, at: number): Promise<KeyObject | null> => {
    const { origin, pathname } = new URL(certUrl)
    const { status, text } = await callProvider(`${isOwn ? origin : url}${pathname}`, {
      headers: { accept: '*/*' },
      timeoutMs: 5_000,
    })
    const key = status === 200 ? keyIn(text, at) : null
    if (key === null) return null
    const [oldest] = cache.keys()
    if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
    cache.set(certUrl, { key, until: performance.now() + cacheMs })
    return key
  }

  return async (certUrl, at) => {
    if (!isCertificateUrl(certUrl, hosts)) return null
    const known = cache.get(certUrl)
    if (known && known.until > performance.now()) return known.key
    const running = pending.get(certUrl)
    if (running) return running
    if (!isWithinLimit())
      throw new PaymentError('too many requests for paypal certificates', { permanent: false })
    const fetched = fetchKey(certUrl, at).finally(() => pending.delete(certUrl))
    pending.set(certUrl, fetched)
    return fetched
  }
}

function isCertificateUrl(certUrl: string, hosts: readonly string[]): boolean {
  if (certUrl.length > 500 || !URL.canParse(certUrl)) return false
  const { protocol, host, pathname, href, origin } = new URL(certUrl)
  if (protocol !== 'https:' || !hosts.includes(host) || href !== `${origin}${pathname}`) return false
  return /^\/v1\/notifications\/certs\/[\w-]+$/.test(pathname)
}

/** The key of a currently valid certificate issued to PayPal's webhook service; null for any other. */
function keyIn(text: string, at: number): KeyObject | null {
  try {
    const { subject, validFrom, validTo, publicKey } = new X509Certificate(text)
    const isPaypal = /^CN=messageverificationcerts(\.[\w-]+)*\.paypal\.com$/m.test(subject)
    return isPaypal && Date.parse(validFrom) <= at && at <= Date.parse(validTo) ? publicKey : null
  } catch {
    return null
  }
}
