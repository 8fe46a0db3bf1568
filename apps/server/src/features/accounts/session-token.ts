import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { cookieOf, decoded } from './cookies.ts'

const bearerScheme = /^bearer +(\S+) *$/i

/**
 * The session's token from its signed form `<token>.<signature>`; null when the signature is not ours. A stolen
 * copy of the database opens nothing: it holds tokens without signatures.
 */
export function verifiedToken(signed: string, secret: string): string | null {
  const [token, signature, ...rest] = signed.split('.')
  if (!token || !signature || rest.length > 0) return null
  const expected = signature64(token, secret)
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/** The form in which a session's token leaves the server. */
export function signedToken(token: string, secret: string): string {
  return `${token}.${signature64(token, secret).toString('base64')}`
}

/** The signed token a request carries: the bearer when there is one, else the session cookie. */
export function signedTokenOf(headers: IncomingHttpHeaders, cookieName: string): string | null {
  const { authorization } = headers
  if (authorization === undefined) return cookieOf(headers, cookieName)
  const bearer = bearerScheme.exec(authorization)?.[1]
  return bearer === undefined ? null : decoded(bearer)
}

function signature64(token: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(token).digest()
}
