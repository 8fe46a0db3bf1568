import type { IncomingHttpHeaders } from 'node:http'
import { addressKey } from '../../platform/http/address-key.ts'
import { cookieOf } from './cookies.ts'
import { deviceCookie, phoneDeviceCookie } from './device.ts'

/** Who asks to come in, as far as it can be told before. */
export interface Visitor {
  address: string
  userAgent: string
  /** The signed token in the session cookie, if there is one: it is replaced by the next. */
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
    address: request.ip,
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
    session: cookieOf(request.headers, sessionCookie),
    device: cookieOf(request.headers, deviceCookie),
    phoneDevice: cookieOf(request.headers, phoneDeviceCookie),
  }
}

/** The visitor's address for limits. */
export const limitAddress = ({ address }: Visitor) => addressKey(address)
