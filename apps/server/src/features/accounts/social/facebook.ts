import { createAuthorizationURL, validateAuthorizationCode } from 'better-auth/oauth2'
import { fetchJson, textOf } from './fetch-json.ts'
import type { SocialProvider } from './provider.ts'

export interface FacebookClient {
  clientId: string
  clientSecret: string
  /** Where browsers are asked, and where servers ask; both end with the version of the interface. */
  dialogUrl: string
  graphUrl: string
}

/**
 * Facebook Login. Its server takes no PKCE with a client secret; state ties the round to the browser. It never says
 * that an address is proven, so an address from here opens no account that was made another way.
 */
export function facebookProvider(client: FacebookClient): SocialProvider {
  const { dialogUrl, graphUrl } = client
  return {
    authorizationUrl: ({ state, redirectURI }) =>
      createAuthorizationURL({
        id: 'facebook',
        options: client,
        authorizationEndpoint: `${dialogUrl}/dialog/oauth`,
        scopes: ['email', 'public_profile'],
        state,
        redirectURI,
      }),
    identify: async ({ code }, { redirectURI }) => {
      const { accessToken } = await validateAuthorizationCode({
        code,
        redirectURI,
        options: client,
        tokenEndpoint: `${graphUrl}/oauth/access_token`,
      })
      if (!accessToken) return null
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

  /** Facebook's tokens do not say whom they are for: only a look at them shows that this one was made for us. */
  async function userOf(accessToken: string): Promise<string | null> {
    const address = new URL(`${graphUrl}/debug_token`)
    address.searchParams.set('input_token', accessToken)
    address.searchParams.set('access_token', `${client.clientId}|${client.clientSecret}`)
    const { data } = await fetchJson(address)
    const { is_valid, app_id, user_id } = (data ?? {}) as Record<string, unknown>
    return is_valid === true && app_id === client.clientId ? textOf(user_id) || null : null
  }
}
