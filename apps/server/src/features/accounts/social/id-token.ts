import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { fetchJson } from './fetch-json.ts'

export interface ExpectedClaims {
  issuer: string
  audience: string
  nonce: string
  /** Epoch ms. */
  now: number
}

/** Allowed clock difference. */
const leewayS = 60

/**
 * Returns the claims of a provider's id token if its signature (RS256, by a key the provider publishes), issuer,
 * audience, nonce and times are valid; null otherwise (OpenID Connect Core 3.1.3.7).
 */
export async function readIdToken(
  token: string,
  keysAddress: string,
  expected: ExpectedClaims,
): Promise<Record<string, unknown> | null> {
  const [head, body, signature, ...rest] = token.split('.')
  if (!head || !body || !signature || rest.length > 0) return null
  const header = decoded(head)
  if (header?.alg !== 'RS256') return null
  const { keys } = await fetchJson(keysAddress)
  const jwk = Array.isArray(keys)
    ? (keys as JsonWebKey[]).find((key) => key.kid === header.kid && key.kty === 'RSA')
    : undefined
  if (jwk === undefined) return null
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${body}`)
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return null
  const claims = decoded(body)
  return claims !== null && isExpected(claims, expected) ? claims : null
}

function isExpected(
  claims: Record<string, unknown>,
  { issuer, audience, nonce, now }: ExpectedClaims,
): boolean {
  const { iss, aud, exp, iat } = claims
  const nowS = now / 1000
  return (
    iss === issuer &&
    aud === audience &&
    claims.nonce === nonce &&
    typeof exp === 'number' &&
    exp > nowS - leewayS &&
    typeof iat === 'number' &&
    iat < nowS + leewayS
  )
}

function decoded(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
