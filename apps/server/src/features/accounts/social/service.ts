import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { isSameDigest, randomToken, type Secrets, sealed, unsealed } from '../secrets.ts'
import type { Sessions } from '../sessions.ts'
import type { SignInMethods } from '../sign-in-by-email.ts'
import { cookieText, type Visitor } from '../visitor.ts'
import { findOrLinkAccount, hasSignInMethod } from './find-or-link-account.ts'
import { type Callback, type SocialProvider, type SocialProviderName, socialProviders } from './provider.ts'

/** The URL and cookies of the next redirect. */
export interface Redirect {
  location: string
  cookies: string[]
}

export interface SocialSignIn {
  /** Redirects the browser to a provider. Throws not_found for one that is switched off or not configured. */
  begin(provider: string, from: string): Promise<Redirect>
  /** Handles the redirect back. Always redirects to the login page, with the outcome in its query. */
  finish(
    provider: string,
    back: Pick<Callback, 'user'> & { code: string | undefined; state: string; error: string | undefined },
    roundCookie: string | null,
    visitor: Visitor,
  ): Promise<Redirect>
}

interface SocialSignInDeps {
  database: Database
  /** For the creation time of users. */
  clock: Clock
  /** For the lifetime of a sign-in in progress. */
  realClock: Clock
  log: Log
  secrets: Secrets
  secure: boolean
  signInMethods: SignInMethods
  sessions: Sessions
  providers: Readonly<Record<SocialProviderName, SocialProvider | null>>
  outbox: Pick<Outbox, 'write'>
  siteUrl(): string
}

export function createSocialSignIn(deps: SocialSignInDeps): SocialSignIn {
  const { realClock, secrets, secure, sessions, log } = deps

  const providerOf = async (name: string) => {
    const provider = isSocialProvider(name) ? deps.providers[name] : null
    if (!isSocialProvider(name) || provider === null || !(await deps.signInMethods.enabled())[name]) {
      throw new Refusal('not_found')
    }
    return { name, provider }
  }
  const roundOf = (round: OAuthState) => ({
    ...round,
    redirectURI: `${deps.siteUrl()}/api/auth/callback/${round.provider}`,
  })
  const backToLogin = (social: 'done' | ErrorKey, from: string, cookies: string[]): Redirect => {
    const query = new URLSearchParams({ social, ...(from === '' ? {} : { from }) })
    return { location: `/login?${query}`, cookies: [...cookies, cookieText(stateCookie, '', 0, secure)] }
  }
  const identified = async (
    name: SocialProviderName,
    provider: SocialProvider,
    callback: Callback,
    round: OAuthState,
  ) => {
    const profile = await provider.identify(callback, roundOf(round)).catch((error: unknown) => {
      log.warn({ err: error, provider: name }, 'social sign-in failed')
      return null
    })
    if (profile === null) throw new Refusal('login_error')
    return profile
  }

  return {
    begin: async (text, from) => {
      const { name, provider } = await providerOf(text)
      const round = newOAuthState(name, from, realClock)
      const location = provider.authorizationUrl(roundOf(round))
      const cookie = cookieText(stateCookie, sealOAuthState(round, secrets), stateSeconds, secure)
      return { location: location.href, cookies: [cookie] }
    },
    finish: async (text, { code, user, state, error }, cookie, visitor) => {
      const { name, provider } = await providerOf(text)
      const round = readOAuthState(cookie, { provider: name, state, now: realClock.now() }, secrets)
      if (round === null) return backToLogin('login_error', '', [])
      try {
        if (!code || error) throw new Refusal('login_error')
        const profile = await identified(name, provider, { code, user }, round)
        const uid = await findOrLinkAccount(deps, name, profile)
        const opened = await sessions.openIf(uid, visitor, (tx) => hasSignInMethod(tx, uid, name))
        return backToLogin('done', round.from, opened.cookies)
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal
        return backToLogin(refusal.key, round.from, [])
      }
    },
  }
}

/** The state of a sign-in in progress, stored in a cookie of the browser that started it. */
interface OAuthState {
  provider: SocialProviderName
  state: string
  nonce: string
  codeVerifier: string
  /** A path on this site to return to. */
  from: string
  expiresAt: number
}

export const stateCookie = 'hansom.social'
const stateSeconds = 600
const purpose = 'social round'

function newOAuthState(provider: SocialProviderName, from: string, clock: Clock): OAuthState {
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
function sealOAuthState(round: OAuthState, secrets: Secrets): string {
  return sealed(secrets, purpose, round, round.expiresAt)
}

/** Reads the cookie value; null when it is forged, expired, or belongs to another provider or state. */
function readOAuthState(
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

function isSocialProvider(text: string): text is SocialProviderName {
  return (socialProviders as readonly string[]).includes(text)
}
