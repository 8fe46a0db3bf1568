import { randomUUID } from 'node:crypto'
import {
  type ProviderPerson,
  type SocialProviders,
  startSocialProviders,
} from '@hansom/doubles/social-providers'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../../config.ts'
import { createTestApp, type TestApp, testPassword } from '../../../test-app.ts'
import { usersTable } from '../../users/table.ts'
import { cookieIn, outcome } from '../accounts.fixture.ts'
import { authUsersTable } from '../table.ts'

let app: TestApp
let providers: SocialProviders
beforeAll(async () => {
  providers = await startSocialProviders()
  const { facebook, apple } = providers
  const config = {
    ...loadConfig({ NODE_ENV: 'test' }, '/'),
    demo: false,
    publicUrl: 'https://rides.test',
    facebook,
    apple,
  }
  app = await createTestApp({ config })
  const all = { FacebookLoginEnabled: true, AppleLoginEnabled: true }
  await app.database.withTransaction((tx) => app.services.settings.update(tx, all))
})
afterAll(async () => {
  await app.close()
  await providers.close()
})
afterEach(() => {
  Object.assign(providers.tamper, { claims: {}, key: 'own', appId: providers.facebook.clientId })
})

type Provider = 'facebook' | 'apple'
const get = (url: string, cookie = '') => app.server.inject({ url, headers: { cookie } })
const begin = (provider: Provider, from = '') => get(`/api/auth/social/${provider}${from}`)

/** Runs a browser's complete sign-in: to the provider, back, and to the outcome. */
async function signIn(provider: Provider, person: ProviderPerson, from = '') {
  const begun = await begin(provider, from)
  expect(begun.statusCode).toBe(303)
  const cookie = cookieIn(begun, 'hansom.social')
  return { cookie, ...(await comeBack(providers.consent(String(begun.headers.location), person), cookie)) }
}

async function comeBack({ path, form }: ReturnType<SocialProviders['consent']>, cookie: string) {
  const url = form === null ? path : await turned(path, form)
  const answer = await get(url, cookie)
  const login = new URL(String(answer.headers.location), 'https://rides.test')
  expect([answer.statusCode, login.pathname]).toEqual([303, '/login'])
  return { answer, url, said: login.searchParams.get('social'), from: login.searchParams.get('from') }
}

/** Posts Apple's form from Apple's page, without our cookies, and returns the GET URL of the redirect. */
async function turned(path: string, form: Record<string, string>): Promise<string> {
  const answer = await app.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' },
    payload: new URLSearchParams(form).toString(),
  })
  expect(answer.statusCode).toBe(303)
  expect(answer.headers['set-cookie']).toBeUndefined()
  return String(answer.headers.location)
}

const providerPerson = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  const id = randomUUID()
  return { id, email: `${id}@x.test`, emailVerified: true, firstName: 'Ana', lastName: 'Sosa', ...more }
}
const people = (email: string | undefined) =>
  app.database.db
    .select()
    .from(usersTable)
    .where(eq(usersTable.email, email ?? ''))
const me = async (answer: Parameters<typeof cookieIn>[0]) =>
  (await get('/api/v1/me', cookieIn(answer, '__Secure-hansom.session_token'))).json()

test.each([
  ['facebook', /^ana[1-9]\d{3}$/],
  ['apple', /^rider[1-9]\d{3}$/],
] as const)(
  '%s: new user -> an approved rider with an empty wallet, found again later',
  async (provider, code) => {
    const person = providerPerson()
    const { answer, said, from } = await signIn(provider, person, '?from=/bookings')
    expect([said, from]).toEqual(['done', '/bookings'])
    const [made, ...more] = await people(person.email)
    expect(more).toEqual([])
    expect(made).toMatchObject({
      firstName: 'Ana',
      lastName: 'Sosa',
      usertype: 'rider',
      approved: true,
      walletBalance: 0,
      loginType: provider,
      mobile: null,
    })
    expect(made?.referralId).toMatch(code)
    expect(await me(answer)).toMatchObject({ uid: made?.id })
    const again = await signIn(provider, { id: person.id })
    expect(await me(again.answer)).toMatchObject({ uid: made?.id })
  },
)

test('sign-in: same user in two windows -> one rider', async () => {
  const person = providerPerson()
  const rounds = await Promise.all(Array.from({ length: 6 }, () => signIn('apple', person)))
  expect(rounds.map(({ said }) => said)).toEqual(Array(6).fill('done'))
  expect(await people(person.email)).toHaveLength(1)
})

test('authorization request: state, nonce and challenge -> unpredictable', async () => {
  const [one, two] = [await begin('apple'), await begin('apple')]
  const asked = new URL(String(one.headers.location)).searchParams
  const other = new URL(String(two.headers.location)).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: 'rides.web',
    response_type: 'code',
    response_mode: 'form_post',
    code_challenge_method: 'S256',
    redirect_uri: 'https://rides.test/api/auth/callback/apple',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).not.toBe(other.get(name))
  expect(String(one.headers['set-cookie'])).toMatch(/HttpOnly; Secure; SameSite=Lax$/)
})

test('sign-in: email of an existing account -> opened only when verified by the provider', async () => {
  const proven = providerPerson()
  const uid = await app.addUser({ email: proven.email ?? '', usertype: 'driver' })
  const { answer, said } = await signIn('apple', proven)
  expect(said).toBe('done')
  expect(await me(answer)).toMatchObject({ uid, usertype: 'driver' })

  const notByProvider = providerPerson({ emailVerified: false })
  await app.addUser({ email: notByProvider.email ?? '', usertype: 'rider' })
  expect((await signIn('apple', notByProvider)).said).toBe('user_exists')
  const byFacebook = providerPerson()
  await app.addUser({ email: byFacebook.email ?? '', usertype: 'rider' })
  expect((await signIn('facebook', byFacebook)).said).toBe('user_exists')

  const notByUs = providerPerson()
  const theirs = await app.addUser({ email: notByUs.email ?? '', usertype: 'rider' })
  await app.database.db
    .update(authUsersTable)
    .set({ emailVerified: false })
    .where(eq(authUsersTable.id, theirs))
  // This is the first verification of the address, so the creator's sign-in methods are removed.
  const bearer = await app.bearer(notByUs.email ?? '')
  const taken = await signIn('apple', notByUs)
  expect(await me(taken.answer)).toMatchObject({ uid: theirs })
  const before = { url: '/api/v1/me', headers: { authorization: bearer } }
  expect((await app.server.inject(before)).json()).toBeNull()
  const withPassword = { email: notByUs.email ?? '', password: testPassword }
  await expect(app.services.accounts.signIn(withPassword, { ip: '::1', userAgent: '' })).rejects.toThrow(
    'login_error',
  )
})

test('sign-in: no email, or user may not sign in -> refused', async () => {
  const { email: _email, ...nameless } = providerPerson()
  expect((await signIn('facebook', nameless)).said).toBe('proper_email')
  const waiting = providerPerson()
  await app.addUser({ email: waiting.email ?? '', usertype: 'driver', approved: false })
  expect((await signIn('apple', waiting)).said).toBe('require_approval')
})

test('callback: another browser or another provider -> login_error', async () => {
  const person = providerPerson()
  const victim = cookieIn(await begin('apple'), 'hansom.social')
  const back = providers.consent(String((await begin('apple')).headers.location), person)
  expect((await comeBack(back, victim)).said).toBe('login_error')
  expect((await comeBack(back, '')).said).toBe('login_error')
  expect((await comeBack(back, `${victim}x`)).said).toBe('login_error')
  const begun = await begin('facebook')
  const other = providers.consent(String(begun.headers.location), person)
  const path = other.path.replace('/facebook', '/apple')
  expect((await comeBack({ path, form: null }, cookieIn(begun, 'hansom.social'))).said).toBe('login_error')
  expect(await people(person.email)).toEqual([])
})

test('callback: code used twice -> works once', async () => {
  const { url, cookie } = await signIn('apple', providerPerson())
  const answer = await get(url, cookie)
  expect(answer.headers.location).toBe('/login?social=login_error')
})

test.each([
  ['another audience', { claims: { aud: 'another.app' } }],
  ['another issuer', { claims: { iss: 'https://evil.test' } }],
  ['another nonce', { claims: { nonce: 'replayed' } }],
  ['an old token', { claims: { exp: 1 } }],
  ['a foreign signature', { key: 'foreign' as const }],
])('id token: %s -> login_error', async (_, change) => {
  Object.assign(providers.tamper, change)
  const person = providerPerson()
  expect((await signIn('apple', person)).said).toBe('login_error')
  expect(await people(person.email)).toEqual([])
})

test('Facebook: token issued for another app -> refused', async () => {
  providers.tamper.appId = 'another app'
  expect((await signIn('facebook', providerPerson())).said).toBe('login_error')
})

test('callback: user declined -> back to the login page', async () => {
  const begun = await begin('facebook', '?from=/bookings')
  const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? ''
  const path = `/api/auth/callback/facebook?error=access_denied&state=${state}`
  expect(await comeBack({ path, form: null }, cookieIn(begun, 'hansom.social'))).toMatchObject({
    said: 'login_error',
    from: '/bookings',
  })
})

test.each(['//evil.test', 'https://evil.test', '/\\evil.test', 'javascript:alert(1)'])(
  'return path %s -> ignored',
  async (from) => {
    expect((await signIn('facebook', providerPerson(), `?from=${encodeURIComponent(from)}`)).from).toBeNull()
  },
)

test('provider: switched off or unknown -> not_found', async () => {
  const ways = async () => (await get('/api/v1/sign-in/ways')).json()
  expect(await ways()).toEqual({ phone: false, facebook: true, apple: true })
  const set = (on: boolean) =>
    app.database.withTransaction((tx) => app.services.settings.update(tx, { FacebookLoginEnabled: on }))
  await set(false)
  expect(await ways()).toEqual({ phone: false, facebook: false, apple: true })
  expect(outcome(await begin('facebook'))).toEqual([404, 'not_found'])
  await set(true)
  expect(outcome(await get('/api/auth/social/google'))).toEqual([404, 'not_found'])
})
