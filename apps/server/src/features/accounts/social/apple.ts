import { sign } from 'node:crypto'
import { createAuthorizationURL, validateAuthorizationCode } from 'better-auth/oauth2'
import type { Clock } from '../../../platform/clock/clock.ts'
import { textOf } from './fetch-json.ts'
import { readIdToken } from './id-token.ts'
import type { SocialProvider } from './provider.ts'

export interface AppleClient {
  clientId: string
  teamId: string
  keyId: string
  /** PEM of the private key issued by Apple. */
  privateKey: string
  /** Apple's base URL; also the issuer of its tokens. */
  url: string
}

const secretLivesS = 300

/** Sign in with Apple: code flow with PKCE and nonce; the signed id token identifies the user. */
export function appleProvider(client: AppleClient, clock: Clock): SocialProvider {
  const { clientId, url } = client
  return {
    authorizationUrl: ({ state, nonce, codeVerifier, redirectURI }) =>
      createAuthorizationURL({
        id: 'apple',
        options: { clientId },
        authorizationEndpoint: `${url}/auth/authorize`,
        scopes: ['name', 'email'],
        responseMode: 'form_post',
        responseType: 'code',
        state,
        nonce,
        codeVerifier,
        redirectURI,
      }),
    identify: async ({ code, user }, { nonce, codeVerifier, redirectURI }) => {
      const clientSecret = clientSecretOf(client, url, clock.now())
      const { idToken } = await validateAuthorizationCode({
        code,
        codeVerifier,
        redirectURI,
        options: { clientId, clientSecret },
        tokenEndpoint: `${url}/auth/token`,
      })
      const expected = { issuer: url, audience: clientId, nonce, now: clock.now() }
      const claims = idToken ? await readIdToken(idToken, `${url}/auth/keys`, expected) : null
      const accountId = textOf(claims?.sub)
      if (claims === null || accountId === '') return null
      return {
        accountId,
        email: textOf(claims.email) || null,
        emailVerified: claims.email_verified === true || claims.email_verified === 'true',
        ...nameIn(user),
      }
    },
  }
}

/** Creates Apple's client secret: a token signed with the key that Apple issued (ES256). */
function clientSecretOf(client: AppleClient, audience: string, now: number): string {
  const iat = Math.floor(now / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = part({ alg: 'ES256', kid: client.keyId })
  const claims = { iss: client.teamId, iat, exp: iat + secretLivesS, aud: audience, sub: client.clientId }
  const text = `${header}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: client.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

function nameIn(user: string | undefined): { firstName: string; lastName: string } {
  try {
    const { name } = JSON.parse(user ?? '{}') as { name?: { firstName?: unknown; lastName?: unknown } }
    return { firstName: textOf(name?.firstName), lastName: textOf(name?.lastName) }
  } catch {
    return { firstName: '', lastName: '' }
  }
}
