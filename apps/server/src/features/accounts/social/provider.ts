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
