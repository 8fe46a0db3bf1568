import { createHash } from 'node:crypto'
import { fetchJson } from './fetch-json.ts'
import type { OAuthSecrets } from './provider.ts'

/** The authorization code flow of RFC 6749 (section 4.1), with PKCE (RFC 7636) where a verifier is given. */
export function authorizationUrl(
  endpoint: string,
  params: Record<string, string>,
  codeVerifier?: string,
): URL {
  const url = new URL(endpoint)
  const challenge = codeVerifier && createHash('sha256').update(codeVerifier).digest('base64url')
  const pkce = challenge ? { code_challenge_method: 'S256', code_challenge: challenge } : {}
  for (const [name, value] of Object.entries({ response_type: 'code', ...params, ...pkce })) {
    url.searchParams.set(name, value)
  }
  return url
}

/** Exchanges a code for the provider's tokens. Throws as `fetchJson`. */
export function exchangeCode(
  endpoint: string,
  client: { clientId: string; clientSecret: string },
  code: string,
  { redirectURI, codeVerifier }: Pick<OAuthSecrets, 'redirectURI'> & { codeVerifier?: string },
): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectURI,
    client_id: client.clientId,
    client_secret: client.clientSecret,
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
  })
  return fetchJson(endpoint, { method: 'POST', body, headers: { accept: 'application/json' } })
}
