import type { Clock } from '../../../platform/clock/clock.ts'
import { isSameDigest, randomToken, type Secrets, sealed, unsealed } from '../secrets.ts'
import { type SocialProviderName, socialProviders } from './provider.ts'

/** A round under way, kept by the browser that began it. */
export interface KeptRound {
  provider: SocialProviderName
  state: string
  nonce: string
  codeVerifier: string
  /** A path of this site to go on to. */
  from: string
  expiresAt: number
}

export const roundCookie = 'hansom.social'
export const roundSeconds = 600
const purpose = 'social round'

export function newRound(provider: SocialProviderName, from: string, clock: Clock): KeptRound {
  return {
    provider,
    state: randomToken(),
    nonce: randomToken(),
    codeVerifier: randomToken(),
    from,
    expiresAt: clock.now() + roundSeconds * 1000,
  }
}

/** A round as the value of a cookie, signed. */
export function sealedRound(round: KeptRound, secrets: Secrets): string {
  return sealed(secrets, purpose, round, round.expiresAt)
}

/** The round a cookie holds; null when it is not ours, has run out, or is another provider's or state's. */
export function openedRound(
  cookie: string | null,
  { provider, state, now }: { provider: string; state: string; now: number },
  secrets: Secrets,
): KeptRound | null {
  const round = unsealed<KeptRound>(secrets, purpose, cookie, now)
  return round?.provider === provider && isSameDigest(round.state, state) ? round : null
}

/** A path of this site that somebody may be led back to; '' for anything else. */
export function ownPath(text: unknown): string {
  return typeof text === 'string' && text.length <= 300 && /^\/(?![/\\])[^\\\s]*$/.test(text) ? text : ''
}

export function isSocialProvider(text: string): text is SocialProviderName {
  return (socialProviders as readonly string[]).includes(text)
}
