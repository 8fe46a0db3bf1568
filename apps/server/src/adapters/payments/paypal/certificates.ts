import { type KeyObject, X509Certificate } from 'node:crypto'
import { askProvider } from '../ask.ts'
import { PaymentError } from '../port.ts'

/** The hosts that hand out the certificates with which events are signed. */
const certificateHosts = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
}

const keptMs = 24 * 3_600_000
/** More certificates than PayPal uses at one time. */
const mostKept = 8
/** However many messages name certificates that we do not have, PayPal is asked for so many of them a minute. */
const mostAskedAMinute = 6

interface Kept {
  key: KeyObject
  until: number
}

/** Finds the key of a certificate by its address. Null: the address or the certificate isn't PayPal's. */
export type FindPaypalKey = (address: string, at: number) => Promise<KeyObject | null>

/**
 * Certificates of PayPal, each fetched once a day from PayPal's own hosts alone. Throws PaymentError when one cannot be
 * fetched, or too many were asked for lately: the event has to be sent again.
 */
export function paypalCertificates({ live, url }: { live: boolean; url: string }): FindPaypalKey {
  const hosts = certificateHosts[live ? 'live' : 'sandbox']
  const isOwn = new URL(url).hostname.endsWith('.paypal.com')
  const kept = new Map<string, Kept>()
  const underWay = new Map<string, Promise<KeyObject | null>>()
  let askedSince = -Infinity
  let asked = 0

  const mayAsk = (): boolean => {
    const now = performance.now()
    if (now - askedSince > 60_000) {
      askedSince = now
      asked = 0
    }
    asked += 1
    return asked <= mostAskedAMinute
  }

  const fetchKey = async (address: string, at: number): Promise<KeyObject | null> => {
    const { origin, pathname } = new URL(address)
    const { status, text } = await askProvider(`${isOwn ? origin : url}${pathname}`, {
      headers: { accept: '*/*' },
      timeoutMs: 5_000,
    })
    const key = status === 200 ? keyIn(text, at) : null
    if (key === null) return null
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(address, { key, until: performance.now() + keptMs })
    return key
  }

  return async (address, at) => {
    if (!isCertificateAddress(address, hosts)) return null
    const known = kept.get(address)
    if (known && known.until > performance.now()) return known.key
    const running = underWay.get(address)
    if (running) return running
    if (!mayAsk()) throw new PaymentError('too many new certificates of paypal', { permanent: false })
    const fetched = fetchKey(address, at).finally(() => underWay.delete(address))
    underWay.set(address, fetched)
    return fetched
  }
}

function isCertificateAddress(address: string, hosts: readonly string[]): boolean {
  if (address.length > 500 || !URL.canParse(address)) return false
  const { protocol, host, pathname, href, origin } = new URL(address)
  if (protocol !== 'https:' || !hosts.includes(host) || href !== `${origin}${pathname}`) return false
  return /^\/v1\/notifications\/certs\/[\w-]+$/.test(pathname)
}

/** The key of a certificate that is valid now and made out to PayPal's service for messages; null for any other. */
function keyIn(text: string, at: number): KeyObject | null {
  try {
    const { subject, validFrom, validTo, publicKey } = new X509Certificate(text)
    const isPaypal = /^CN=messageverificationcerts(\.[\w-]+)*\.paypal\.com$/m.test(subject)
    return isPaypal && Date.parse(validFrom) <= at && at <= Date.parse(validTo) ? publicKey : null
  } catch {
    return null
  }
}
