/** The providers people can come in by. */
export const socialProviders = ['facebook', 'apple'] as const
export type SocialProviderName = (typeof socialProviders)[number]

/** Who somebody is to a provider. */
export interface SocialPerson {
  /** The provider's own, unchanging id. */
  accountId: string
  email: string | null
  /** The provider itself says that the address is that person's. */
  emailVerified: boolean
  firstName: string
  lastName: string
}

/** One round of signing in: what only the browser that began it and this server know. */
export interface Round {
  state: string
  nonce: string
  codeVerifier: string
  redirectURI: string
}

/** What comes back with the browser. */
export interface Callback {
  code: string
  /** JSON that Apple sends once, with the name. */
  user: string | undefined
}

export interface SocialProvider {
  /** Where the browser is sent. */
  authorizationUrl(round: Round): Promise<URL>
  /** Exchanges the code; null when the provider does not vouch for anybody. Throws when it cannot be reached. */
  identify(callback: Callback, round: Round): Promise<SocialPerson | null>
}

/** Addresses of a provider; tests have servers of their own. */
export interface FacebookAddresses {
  authorize: string
  token: string
  debugToken: string
  me: string
}

export interface AppleAddresses {
  authorize: string
  token: string
  keys: string
  issuer: string
}

export interface SocialAddresses {
  facebook: FacebookAddresses
  apple: AppleAddresses
}

export const publicAddresses: SocialAddresses = {
  facebook: {
    authorize: 'https://www.facebook.com/v24.0/dialog/oauth',
    token: 'https://graph.facebook.com/v24.0/oauth/access_token',
    debugToken: 'https://graph.facebook.com/debug_token',
    me: 'https://graph.facebook.com/v24.0/me',
  },
  apple: {
    authorize: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    keys: 'https://appleid.apple.com/auth/keys',
    issuer: 'https://appleid.apple.com',
  },
}
