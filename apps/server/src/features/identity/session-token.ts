import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const bearerScheme = /^bearer +(\S+) *$/i

/**
 * The session's token from its signed form `<token>.<signature>`; null when the signature is not ours. A stolen
 * copy of the database opens nothing: it holds tokens without signatures.
 */
export function verifiedToken(signed: string, secret: string): string | null {
  const [token, signature, ...rest] = signed.split('.')
  if (!token || !signature || rest.length > 0) return null
  const expected = createHmac('sha256', secret).update(token).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/** The signed token a request carries: the bearer when there is one, else the session cookie. */
export function signedTokenOf(headers: IncomingHttpHeaders, cookieName: string): string | null {
  const { authorization } = headers
  if (authorization !== undefined) return decoded(bearerScheme.exec(authorization)?.[1])
  for (const pair of headers.cookie?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === cookieName)
      return decoded(pair.slice(equals + 1).trim())
  }
  return null
}

function decoded(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
