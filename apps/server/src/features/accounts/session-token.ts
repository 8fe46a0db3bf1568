import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { cookieOf } from './cookies.ts'

const bearerScheme = /^bearer +(\S+) *$/i

/**
 * Returns the session's token from its signed form `<token>.<signature>`; null when the signature is invalid. The
 * database stores tokens without signatures, so a stolen copy of it opens no session.
 */
export function verifiedToken(signed: string, secret: string): string | null {
  const [token, signature, ...rest] = signed.split('.')
  if (!token || !signature || rest.length > 0) return null
  const expected = signature64(token, secret)
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/** Returns the signed form in which a session's token leaves the server. */
export function signedToken(token: string, secret: string): string {
  return `${token}.${signature64(token, secret).toString('base64')}`
}

/** Returns a request's signed token: the bearer if present, else the session cookie. */
export function signedTokenOf(headers: IncomingHttpHeaders, cookieName: string): string | null {
  const { authorization } = headers
  if (authorization === undefined) return cookieOf(headers, cookieName)
  const bearer = bearerScheme.exec(authorization)?.[1]
  return bearer === undefined ? null : decoded(bearer)
}

/** Percent-decodes a value; null when it is malformed. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function signature64(token: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(token).digest()
}
