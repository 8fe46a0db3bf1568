import type { IncomingHttpHeaders } from 'node:http'

/** A site-wide cookie that scripts cannot read. `maxAgeS` 0 removes it. */
export function cookieText(name: string, value: string, maxAgeS: number, secure: boolean): string {
  const text = `${name}=${encodeURIComponent(value)}; Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Lax`
  return secure ? `${text}; Secure` : text
}

/** Returns the value of a request's cookie; null when it is missing or malformed. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | null {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return decoded(pair.slice(equals + 1).trim())
  }
  return null
}

/** Percent-decodes a value; null when it is malformed. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
