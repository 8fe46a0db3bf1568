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
