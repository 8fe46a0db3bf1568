import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import { rateLimitKey } from '../../platform/http/client-ip.ts'
import { isSameDigest, randomToken, type Secrets } from './secrets.ts'

/** The properties of a request before sign-in that limits and sessions use. */
export interface Visitor {
  ip: string
  userAgent: string
  /** The signed token in the session cookie, if any; the next session replaces it. */
  session?: string | null
  /** The values of the device cookies. */
  device?: string | null
  phoneDevice?: string | null
}

export function visitorOf(
  request: { ip: string; headers: IncomingHttpHeaders },
  sessionCookie: string,
): Visitor {
  return {
    ip: request.ip,
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
    session: cookieOf(request.headers, sessionCookie),
    device: cookieOf(request.headers, deviceCookie),
    phoneDevice: cookieOf(request.headers, phoneDeviceCookie),
  }
}

/** The visitor's IP address as used for limits. */
export const limitKeyOf = ({ ip: address }: Visitor) => rateLimitKey(address)

/** A site-wide cookie that scripts cannot read. `maxAge` (seconds) 0 removes it. */
export function cookieText(name: string, value: string, maxAge: number, secure: boolean): string {
  return stringifySetCookie(name, value, { maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure })
}

/** Returns the value of a request's cookie; null when it is missing. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | null {
  return parseCookie(headers.cookie ?? '')[name] ?? null
}

/** Recognizes browsers that a user has signed in with; they have their own limits, which strangers cannot use up. */
export interface Devices {
  /**
   * Returns the id of a device that has signed in as `account` (an email address or full phone number); null otherwise.
   */
  known(cookie: string | null, account: string): string | null
  /** Returns the cookie value for a device that has just signed in. */
  remember(cookie: string | null, account: string): string
}

/** One cookie for sign-ins by email, one for sign-ins by phone. */
export const deviceCookie = 'hansom.device'
export const phoneDeviceCookie = 'hansom.phone'
export const deviceSeconds = 365 * 24 * 3600

export function createDevices(secrets: Secrets): Devices {
  const mark = (id: string, account: string) => secrets.digest('device', id, account.toLowerCase())
  const known: Devices['known'] = (cookie, account) => {
    const [id, signature, ...rest] = cookie?.split('.') ?? []
    if (!id || !signature || rest.length > 0) return null
    return isSameDigest(signature, mark(id, account)) ? id : null
  }
  return {
    known,
    remember: (cookie, account) => {
      const id = known(cookie, account) ?? randomToken()
      return `${id}.${mark(id, account)}`
    },
  }
}
