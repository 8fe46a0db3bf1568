import type { IncomingHttpHeaders } from 'node:http'
import { rateLimitKey } from '../../platform/http/rate-limit-key.ts'
import { cookieOf } from './cookies.ts'
import { deviceCookie, phoneDeviceCookie } from './device.ts'

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
