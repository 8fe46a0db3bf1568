import { createPrivateKey } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../../platform/clock/clock.ts'
import { authorizationUrl, exchangeCode, type SocialProvider, textOf } from './provider.ts'

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
/** Allowed clock difference, s. */
const clockTolerance = 60

/** Sign in with Apple: code flow with PKCE and nonce; the signed id token identifies the user. */
export function appleProvider(client: AppleClient, clock: Clock): SocialProvider {
  const { clientId, url } = client
  const keys = createRemoteJWKSet(new URL(`${url}/auth/keys`))
  return {
    authorizationUrl: ({ state, nonce, codeVerifier, redirectURI }) =>
      authorizationUrl(
        `${url}/auth/authorize`,
        {
          client_id: clientId,
          redirect_uri: redirectURI,
          response_mode: 'form_post',
          scope: 'name email',
          state,
          nonce,
        },
        codeVerifier,
      ),
    identify: async ({ code, user }, round) => {
      const clientSecret = await clientSecretOf(client, clock.now())
      const tokens = await exchangeCode(`${url}/auth/token`, { clientId, clientSecret }, code, round)
      // OpenID Connect Core 3.1.3.7.
      const { payload } = await jwtVerify(textOf(tokens.id_token), keys, {
        issuer: url,
        audience: clientId,
        algorithms: ['RS256'],
        requiredClaims: ['sub', 'exp'],
        maxTokenAge: '1 day',
        clockTolerance,
        currentDate: new Date(clock.now()),
      })
      const accountId = textOf(payload.sub)
      if (payload.nonce !== round.nonce || accountId === '') return null
      return {
        accountId,
        email: textOf(payload.email) || null,
        emailVerified: payload.email_verified === true || payload.email_verified === 'true',
        ...nameIn(user),
      }
    },
  }
}

/** Apple's client secret: a token signed with the key that Apple issued. */
function clientSecretOf(
  { clientId, teamId, keyId, privateKey, url }: AppleClient,
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + secretLivesS)
    .setAudience(url)
    .setSubject(clientId)
    .sign(createPrivateKey(privateKey))
}

function nameIn(user: string | undefined): { firstName: string; lastName: string } {
  try {
    const { name } = JSON.parse(user ?? '{}') as { name?: { firstName?: unknown; lastName?: unknown } }
    return { firstName: textOf(name?.firstName), lastName: textOf(name?.lastName) }
  } catch {
    return { firstName: '', lastName: '' }
  }
}
