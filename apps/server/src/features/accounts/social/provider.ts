import { createHash } from 'node:crypto'

/** The social sign-in providers. */
export const socialProviders = ['facebook', 'apple'] as const
export type SocialProviderName = (typeof socialProviders)[number]

/** A user as reported by a provider. */
export interface SocialUser {
  /** The provider's permanent id of the user. */
  accountId: string
  email: string | null
  /** True when the provider has verified the address. */
  emailVerified: boolean
  firstName: string
  lastName: string
}

/** The secrets of one sign-in, known only to the browser that started it and this server. */
export interface OAuthSecrets {
  state: string
  nonce: string
  codeVerifier: string
  redirectURI: string
}

/** The parameters of the provider's redirect back to us. */
export interface Callback {
  code: string
  /** JSON with the name, which Apple sends only once. */
  user: string | undefined
}

export interface SocialProvider {
  /** Returns the URL to redirect the browser to. */
  authorizationUrl(round: OAuthSecrets): URL
  /**
   * Exchanges the code; null when the provider does not vouch for the user. Throws when the provider
   * cannot be reached or its token is invalid.
   */
  identify(callback: Callback, round: OAuthSecrets): Promise<SocialUser | null>
}

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

const longestMs = 10_000

/**
 * Fetches a provider's response as JSON; follows no redirect. Throws on an error status, a timeout, or a body that is
 * not an object.
 */
export async function fetchJson(
  address: string | URL,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(address, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(longestMs),
  })
  if (!answer.ok) throw new Error(`the provider responded with status ${answer.status}`)
  const body: unknown = await answer.json()
  if (typeof body !== 'object' || body === null) throw new Error('the provider response is not an object')
  return body as Record<string, unknown>
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
