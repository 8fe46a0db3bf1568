import { parseCookie, stringifySetCookie } from 'cookie'
import type { IncomingHttpHeaders } from 'node:http'

/** A site-wide cookie that scripts cannot read. `maxAge` (seconds) 0 removes it. */
export function cookieText(name: string, value: string, maxAge: number, secure: boolean): string {
  return stringifySetCookie(name, value, { maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure })
}

/** Returns the value of a request's cookie; null when it is missing. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | null {
  return parseCookie(headers.cookie ?? '')[name] ?? null
}
