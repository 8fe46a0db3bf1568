import type { Clock } from '../../../platform/clock/clock.ts'
import { isSameDigest, randomToken, type Secrets, sealed, unsealed } from '../secrets.ts'
import { type SocialProviderName, socialProviders } from './provider.ts'

/** The state of a sign-in in progress, stored in a cookie of the browser that started it. */
export interface OAuthState {
  provider: SocialProviderName
  state: string
  nonce: string
  codeVerifier: string
  /** A path on this site to return to. */
  from: string
  expiresAt: number
}

export const stateCookie = 'hansom.social'
export const stateSeconds = 600
const purpose = 'social round'

export function newOAuthState(provider: SocialProviderName, from: string, clock: Clock): OAuthState {
  return {
    provider,
    state: randomToken(),
    nonce: randomToken(),
    codeVerifier: randomToken(),
    from,
    expiresAt: clock.now() + stateSeconds * 1000,
  }
}

/** Returns the signed cookie value. */
export function sealOAuthState(round: OAuthState, secrets: Secrets): string {
  return sealed(secrets, purpose, round, round.expiresAt)
}

/** Reads the cookie value; null when it is forged, expired, or belongs to another provider or state. */
export function readOAuthState(
  cookie: string | null,
  { provider, state, now }: { provider: string; state: string; now: number },
  secrets: Secrets,
): OAuthState | null {
  const round = unsealed<OAuthState>(secrets, purpose, cookie, now)
  return round?.provider === provider && isSameDigest(round.state, state) ? round : null
}

/** Returns a path on this site that is safe to redirect to; '' for anything else. */
export function localPath(text: unknown): string {
  return typeof text === 'string' && text.length <= 300 && /^\/(?![/\\])[^\\\s]*$/.test(text) ? text : ''
}

export function isSocialProvider(text: string): text is SocialProviderName {
  return (socialProviders as readonly string[]).includes(text)
}
