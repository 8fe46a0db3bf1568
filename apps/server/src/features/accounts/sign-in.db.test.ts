import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp, testPassword } from '../../test-app.ts'
import { usersTable } from '../users/table.ts'
import { authSessionsTable } from './table.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  await app.addUser({ email: 'rider@x.test', usertype: 'rider', firstName: 'Ana' })
  await app.addUser({ email: 'waiting@x.test', usertype: 'driver', approved: false })
})
afterAll(() => app.close())

const signIn = (payload: unknown, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload: payload as object, headers })
const me = (headers: Record<string, string>) => app.server.inject({ url: '/api/v1/me', headers })

test('correct password -> session by cookie and by bearer', async () => {
  const answer = await signIn({ email: 'RIDER@x.test', password: testPassword })
  expect(answer.statusCode).toBe(200)
  const [cookie = '', device] = [answer.headers['set-cookie'] ?? []].flat()
  expect(cookie).toMatch(/^hansom\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(device).toMatch(/^hansom\.device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  const byCookie = await me({ cookie: cookie.split(';')[0] ?? '' })
  expect(byCookie.json()).toMatchObject({ firstName: 'Ana', usertype: 'rider', email: 'rider@x.test' })
  const { token } = answer.json()
  const byBearer = await me({ authorization: `Bearer ${token}` })
  expect(byBearer.json()).toEqual(byCookie.json())
})

test('token without a valid signature -> no session', async () => {
  const { token } = (await signIn({ email: 'rider@x.test', password: testPassword })).json()
  const [bare, signature] = token.split('.')
  for (const forged of [
    bare,
    `${bare}.${'A'.repeat(43)}=`,
    `x${bare}.${signature}`,
    `${token}.x`,
    '',
    '.',
    '%',
  ]) {
    expect((await me({ authorization: `Bearer ${forged}` })).json(), forged).toBeNull()
  }
  const [row] = await app.database.db.select().from(authSessionsTable).limit(1)
  expect((await me({ authorization: `Bearer ${row?.token}` })).json()).toBeNull()
})

test('wrong password or unknown user -> the same error', async () => {
  const wrong = await signIn({ email: 'rider@x.test', password: 'not this one' })
  const unknown = await signIn({ email: 'nobody@x.test', password: 'not this one' })
  expect(wrong.statusCode).toBe(401)
  expect(unknown.statusCode).toBe(401)
  expect({ ...wrong.json(), requestId: '' }).toEqual({ error: 'login_error', requestId: '' })
  expect({ ...unknown.json(), requestId: '' }).toEqual({ error: 'login_error', requestId: '' })
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('unapproved user -> require_approval, but only with the correct password', async () => {
  const right = await signIn({ email: 'waiting@x.test', password: testPassword })
  expect([right.statusCode, right.json().error]).toEqual([403, 'require_approval'])
  expect(right.headers['set-cookie']).toBeUndefined()
  const wrong = await signIn({ email: 'waiting@x.test', password: 'guessing' })
  expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'login_error'])
})

test('unverified email that must be verified -> refused', async () => {
  const passwordHash = await app.services.accounts.hashPassword(testPassword)
  await app.database.withTransaction((tx) =>
    app.services.accounts.createAccount(tx, {
      user: {
        firstName: 'New',
        lastName: 'Rider',
        email: 'new@x.test',
        usertype: 'rider',
        approved: true,
        createdAt: 1,
      },
      passwordHash,
      emailVerified: false,
    }),
  )
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { email_verify: true }))
  const refused = await signIn({ email: 'new@x.test', password: testPassword })
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'email_verify_message'])
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { email_verify: false }))
  expect((await signIn({ email: 'new@x.test', password: testPassword })).statusCode).toBe(200)
})

test('approval withdrawn -> rights end immediately', async () => {
  await app.addUser({ email: 'gone@x.test', usertype: 'rider' })
  const authorization = await app.bearer('gone@x.test')
  await app.database.db.update(usersTable).set({ approved: false })
  expect(await app.services.accounts.authenticate({ authorization })).toMatchObject({ approved: false })
  await app.database.db.update(usersTable).set({ approved: true })
})

test('sign out -> session ended, cookie cleared', async () => {
  const authorization = await app.bearer('rider@x.test')
  const out = await app.server.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { authorization },
  })
  expect(out.headers['set-cookie']).toContain('hansom.session_token=; Max-Age=0')
  expect((await me({ authorization })).json()).toBeNull()
})

test('ended session -> no actor; session in use -> extended', async () => {
  const answer = await signIn({ email: 'rider@x.test', password: testPassword })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const { pool } = app.database
  await pool.query(
    `update auth_sessions set updated_at = now() - interval '2 days', expires_at = now() + interval '1 day'`,
  )
  const used = await me({ cookie })
  expect(used.headers['set-cookie']).toContain('Max-Age=2592000')
  const { rows } = await pool.query(
    "select max(expires_at) > now() + interval '29 days' as later from auth_sessions",
  )
  expect(rows[0].later).toBe(true)
  await pool.query(`update auth_sessions set expires_at = now() - interval '1 second'`)
  expect((await me({ cookie })).json()).toBeNull()
})

test('session: in daily use for half a year -> ended', async () => {
  const answer = await signIn({ email: 'rider@x.test', password: testPassword })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const { pool } = app.database
  const begun = (days: number) =>
    pool.query(
      `update auth_sessions set created_at = now() - make_interval(days => $1),
        updated_at = now() - interval '2 days', expires_at = now() + interval '1 day'`,
      [days],
    )
  await begun(170)
  expect((await me({ cookie })).json()).toMatchObject({ email: 'rider@x.test' })
  const { rows } = await pool.query(
    "select max(expires_at) < now() + interval '11 days' as sooner from auth_sessions",
  )
  expect(rows[0].sooner).toBe(true)
  await begun(181)
  expect((await me({ cookie })).json()).toBeNull()
})

test('session: forged -> no query, counted for no user', async () => {
  const asked = vi.spyOn(app.database.pool, 'query')
  const { accounts } = app.services
  expect(await accounts.userOf({ authorization: 'Bearer abc.def' })).toBeNull()
  expect(await accounts.userOf({ cookie: 'hansom.session_token=abc.def' })).toBeNull()
  expect(await accounts.userOf({})).toBeNull()
  expect(asked).not.toHaveBeenCalled()
  const authorization = await app.bearer('rider@x.test')
  asked.mockClear()
  for (let number = 0; number < 5; number++) {
    expect(await accounts.userOf({ authorization })).toBe((await me({ authorization })).json().uid)
  }
  const owners = asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('find_session_owner'))
  expect(owners).toHaveLength(1)
})

test.each([
  undefined,
  null,
  [],
  'text',
  7,
  {},
  { email: 'a@b.c' },
  { email: 1, password: 'x' },
  { email: 'a', password: '' },
])('malformed credentials %j -> 400', async (payload) => {
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    headers: { 'content-type': 'application/json' },
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  })
  expect(answer.statusCode).toBe(400)
  expect(['login_validate_error', 'invalid_input']).toContain(answer.json().error)
})

test('malformed email -> login_validate_error', async () => {
  const answer = await signIn({ email: 'not an address', password: 'x' })
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'login_validate_error'])
})

test.each([
  ['POST', '/api/auth/sign-up/email'],
  ['POST', '/api/auth/update-user'],
  ['POST', '/api/auth/change-email'],
  ['POST', '/api/auth/change-password'],
  ['POST', '/api/auth/delete-user'],
  ['GET', '/api/auth/get-session'],
  ['GET', '/api/auth/list-sessions'],
  ['POST', '/api/auth/sign-in/social'],
  ['GET', '/api/auth/ok'],
] as const)('library endpoint %s %s -> not_found', async (method, url) => {
  const answer = await app.server.inject({ method, url, ...(method === 'POST' && { payload: {} }) })
  expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found'])
})

test('request from another origin -> refused', async () => {
  const foreign = await signIn(
    { email: 'rider@x.test', password: testPassword },
    { origin: 'https://evil.test' },
  )
  expect([foreign.statusCode, foreign.json().error]).toEqual([403, 'forbidden'])
  const own = await signIn(
    { email: 'rider@x.test', password: testPassword },
    { origin: 'http://rides.test:8080', host: 'rides.test:8080' },
  )
  expect(own.statusCode).toBe(200)
})

test('guesses -> delayed for the guesser, owner is never locked out', async () => {
  await app.addUser({ email: 'target@x.test', usertype: 'rider' })
  const guess = (remoteAddress: string, password: string) =>
    app.server.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      payload: { email: 'target@x.test', password },
      remoteAddress,
    })
  const guesses = []
  for (let number = 0; number < 7; number += 1) guesses.push(await guess('10.0.0.1', `guess ${number}`))
  const last = guesses.at(-1)
  expect([last?.statusCode, last?.json().error]).toEqual([429, 'too_many_requests'])
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await guess('10.0.0.2', testPassword)).statusCode).toBe(200)
})

test('200 concurrent guesses of one password -> five checked, owner signs in from elsewhere', async () => {
  await app.addUser({ email: 'stormed@x.test', usertype: 'rider' })
  const { accounts } = app.services
  const attempt = (password: string, address: string) =>
    accounts.signIn({ email: 'stormed@x.test', password }, { ip: address, userAgent: '' })
  const guesses = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) => attempt(`guess${index}`, '10.0.9.1')),
  )
  const keys = guesses.map((one) => (one.status === 'rejected' ? one.reason.key : 'let in'))
  expect(keys.filter((key) => key === 'login_error')).toHaveLength(5)
  expect(keys.filter((key) => key === 'too_many_requests')).toHaveLength(195)
  await expect(attempt(testPassword, '10.0.9.1')).rejects.toMatchObject({ key: 'too_many_requests' })
  await expect(attempt(testPassword, '10.0.9.2')).resolves.toMatchObject({ uid: expect.any(String) })
})
