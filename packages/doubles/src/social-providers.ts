import {
  createHash,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
  randomUUID,
} from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The person at the browser, as known to the provider. */
export interface ProviderPerson {
  id: string
  email?: string
  emailVerified?: boolean
  firstName?: string
  lastName?: string
}

export interface SocialProviders {
  facebook: { clientId: string; clientSecret: string; dialogUrl: string; graphUrl: string }
  apple: { clientId: string; teamId: string; keyId: string; privateKey: string; url: string }
  /** The person at the browsers that are redirected here: the page offers to continue as that person, or to cancel. */
  browserPerson: ProviderPerson | null
  /** Grants consent at the URL a browser was redirected to, without a browser; returns the request to our site. */
  consent(location: string, person: ProviderPerson): { path: string; form: Record<string, string> | null }
  /** Changes the content or the signature of the next id token. */
  tamper: { claims: Record<string, unknown>; key: 'own' | 'foreign'; appId: string }
  close(): Promise<void>
}

interface Grant {
  provider: 'facebook' | 'apple'
  person: ProviderPerson
  redirectURI: string
  challenge: string | null
  nonce: string | null
}

/** Local Facebook and Apple: they check what the real ones check, and issue single-use codes. */
export async function startSocialProviders(): Promise<SocialProviders> {
  const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signing = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKey = ours.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, ProviderPerson>()
  const tamper: SocialProviders['tamper'] = { claims: {}, key: 'own', appId: 'facebook-app' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const facebook = {
    clientId: 'facebook-app',
    clientSecret: 'facebook-secret',
    dialogUrl: `${root}/facebook`,
    graphUrl: `${root}/facebook`,
  }
  const apple = { clientId: 'rides.web', teamId: 'TEAM', keyId: 'KEY', privateKey, url: `${root}/apple` }

  const takeCode = (form: URLSearchParams, provider: Grant['provider']): Grant => {
    const code = form.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    if (grant?.provider !== provider || form.get('grant_type') !== 'authorization_code')
      throw new Error('code')
    if (form.get('redirect_uri') !== grant.redirectURI) throw new Error('redirect_uri')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant.challenge !== null && challenge !== grant.challenge) throw new Error('code_verifier')
    return grant
  }
  const checkAppleSecret = (secret: string) => {
    const [head = '', body = '', signature = ''] = secret.split('.')
    const isSigned = createVerify('sha256')
      .update(`${head}.${body}`)
      .verify(
        { key: createPublicKey(ours.privateKey), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
    if (!isSigned || claims.iss !== 'TEAM' || claims.sub !== apple.clientId || claims.aud !== apple.url) {
      throw new Error('client_secret')
    }
  }
  const idToken = ({ person, nonce }: Grant) => {
    const iat = Math.floor(Date.now() / 1000)
    const claims = {
      iss: apple.url,
      aud: apple.clientId,
      iat,
      exp: iat + 600,
      sub: person.id,
      nonce,
      email: person.email,
      email_verified: person.emailVerified ?? false,
      ...tamper.claims,
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'RS256', kid: 'signing' })}.${part(claims)}`
    const key = tamper.key === 'own' ? signing.privateKey : foreign.privateKey
    return `${text}.${createSign('sha256').update(text).sign(key).toString('base64url')}`
  }

  const answer = async (request: IncomingMessage): Promise<object> => {
    const url = new URL(request.url ?? '', 'http://x')
    const form = new URLSearchParams(await bodyOf(request))
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /facebook/oauth/access_token': {
        const { clientId, clientSecret } = facebook
        if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
          throw new Error('client')
        const access_token = randomUUID()
        tokens.set(access_token, takeCode(form, 'facebook').person)
        return { access_token, token_type: 'bearer', expires_in: 3600 }
      }
      case 'GET /facebook/debug_token': {
        const person = tokens.get(url.searchParams.get('input_token') ?? '')
        const isOurs =
          url.searchParams.get('access_token') === `${facebook.clientId}|${facebook.clientSecret}`
        if (!isOurs) throw new Error('app token')
        return { data: { is_valid: person !== undefined, app_id: tamper.appId, user_id: person?.id } }
      }
      case 'GET /facebook/me': {
        const person = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
        if (person === undefined) throw new Error('token')
        const { id, email, firstName, lastName } = person
        return { id, email, first_name: firstName, last_name: lastName }
      }
      case 'POST /apple/auth/token': {
        if (form.get('client_id') !== apple.clientId) throw new Error('client')
        checkAppleSecret(form.get('client_secret') ?? '')
        return { access_token: 'x', token_type: 'bearer', id_token: idToken(takeCode(form, 'apple')) }
      }
      case 'GET /apple/auth/keys':
        return { keys: [{ ...signing.publicKey.export({ format: 'jwk' }), kid: 'signing', alg: 'RS256' }] }
      default:
        throw new Error('not found')
    }
  }

  /** Grants consent and returns to the site as the provider does: with a link or a form. */
  const agree: SocialProviders['consent'] = (location, person) => {
    const url = new URL(location)
    const param = (name: string) => url.searchParams.get(name)
    const provider = url.pathname.startsWith('/apple/') ? 'apple' : 'facebook'
    const redirectURI = param('redirect_uri') ?? ''
    const code = randomUUID()
    const [challenge, nonce] = [param('code_challenge'), param('nonce')]
    codes.set(code, { provider, person, redirectURI, challenge, nonce })
    const state = param('state') ?? ''
    const { pathname } = new URL(redirectURI)
    if (param('response_mode') !== 'form_post') {
      return { path: `${pathname}?${new URLSearchParams({ code, state }).toString()}`, form: null }
    }
    const { firstName, lastName } = person
    const user: Record<string, string> =
      firstName === undefined ? {} : { user: JSON.stringify({ name: { firstName, lastName } }) }
    return { path: pathname, form: { code, state, ...user } }
  }
  const page = (url: URL): string | null => {
    if (!/^\/(facebook\/dialog\/oauth|apple\/auth\/authorize)$/.test(url.pathname)) return null
    const { browserPerson: atBrowser } = doubles
    if (atBrowser === null) return '<!doctype html><title>Provider</title><h1>No one is signed in</h1>'
    const { path, form } = agree(url.href, atBrowser)
    const redirectURI = new URL(url.searchParams.get('redirect_uri') ?? '')
    const state = url.searchParams.get('state') ?? ''
    return agreementPage(new URL(path, redirectURI), form, new URL(redirectURI), state)
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const html = page(new URL(request.url ?? '', root))
    if (html !== null) {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
      return
    }
    answer(request).then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error: Error) => response.writeHead(400).end(JSON.stringify({ error: error.message })),
    )
  })
  const doubles: SocialProviders = {
    facebook,
    apple,
    tamper,
    consent: agree,
    browserPerson: null,
    close: () => closed(server),
  }
  return doubles
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function agreementPage(
  back: URL,
  form: Record<string, string> | null,
  redirectURI: URL,
  state: string,
): string {
  const fields = Object.entries(form ?? Object.fromEntries(back.searchParams)).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const turnedBack = new URLSearchParams({ error: 'access_denied', state })
  return `<!doctype html><html lang="en"><title>Provider</title><h1>Sign in to the rides</h1>
    <form method="${form === null ? 'get' : 'post'}" action="${escaped(back.origin + back.pathname)}">
    ${fields.join('')}<button>Go on</button></form>
    <a href="${escaped(`${redirectURI.href}?${turnedBack.toString()}`)}">Not now</a>`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
