import { authorizationUrl, exchangeCode, fetchJson, type SocialProvider, textOf } from './provider.ts'

export interface FacebookClient {
  clientId: string
  clientSecret: string
  /** The URLs for browsers and for servers; both end with the API version. */
  dialogUrl: string
  graphUrl: string
}

/**
 * Facebook Login. Its server does not support PKCE with a client secret; the state ties the sign-in to the browser. It
 * never reports an email address as verified, so it cannot open an account created by another method.
 */
export function facebookProvider(client: FacebookClient): SocialProvider {
  const { dialogUrl, graphUrl } = client
  return {
    authorizationUrl: ({ state, redirectURI }) =>
      authorizationUrl(`${dialogUrl}/dialog/oauth`, {
        client_id: client.clientId,
        redirect_uri: redirectURI,
        scope: 'email public_profile',
        state,
      }),
    identify: async ({ code }, { redirectURI }) => {
      const tokens = await exchangeCode(`${graphUrl}/oauth/access_token`, client, code, { redirectURI })
      const accessToken = textOf(tokens.access_token)
      if (accessToken === '') return null
      const userId = await userOf(accessToken)
      if (userId === null) return null
      const me = new URL(`${graphUrl}/me`)
      me.searchParams.set('fields', 'id,first_name,last_name,email')
      const profile = await fetchJson(me, { headers: { authorization: `Bearer ${accessToken}` } })
      if (textOf(profile.id) !== userId) return null
      return {
        accountId: userId,
        email: textOf(profile.email) || null,
        emailVerified: false,
        firstName: textOf(profile.first_name),
        lastName: textOf(profile.last_name),
      }
    },
  }

  /** Facebook's tokens do not name their audience; only debug_token shows that one was issued for our app. */
  async function userOf(accessToken: string): Promise<string | null> {
    const address = new URL(`${graphUrl}/debug_token`)
    address.searchParams.set('input_token', accessToken)
    address.searchParams.set('access_token', `${client.clientId}|${client.clientSecret}`)
    const { data } = await fetchJson(address)
    const { is_valid, app_id, user_id } = (data ?? {}) as Record<string, unknown>
    return is_valid === true && app_id === client.clientId ? textOf(user_id) || null : null
  }
}
