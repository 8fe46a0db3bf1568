import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, testPassword } from '../../test-app.ts'
import { usersTable } from '../users/table.ts'
import { cookieIn, outcome, poster, sentTo, tokenIn } from './accounts.fixture.ts'
import { authLinksTable, authSessionsTable, authUsersTable } from './table.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  await app.start()
})
afterAll(() => app.close())

const post = poster(() => app)
let number = 0
const newPerson = async () => {
  number += 1
  const email = `p${number}@x.test`
  return { email, uid: await app.addUser({ email, usertype: 'rider' }) }
}
const signIn = (email: string, password: string, from = `10.8.0.${number}`) =>
  post('/api/auth/sign-in/email', { email, password }, { from })
const me = async (headers: Record<string, string>) =>
  (await app.server.inject({ url: '/api/v1/me', headers })).json()
const forgot = (email: string, from = `10.9.0.${number}`) =>
  post('/api/v1/password/forgot', { email }, { from })

test('reset: link from the email -> sets a new password once, and ends every session', async () => {
  const { email } = await newPerson()
  const cookie = cookieIn(await signIn(email, testPassword), 'hansom.session_token')
  expect(await me({ cookie })).not.toBeNull()
  expect((await forgot(email)).json()).toEqual({ ok: true })
  const message = await sentTo(app, email)
  expect(message.kind).toBe('reset')
  const token = tokenIn(message)
  const weak = await post('/api/v1/password/reset', { token, password: 'bad' })
  expect(outcome(weak)).toEqual([400, 'password_alphaNumeric_check'])
  const resets = await Promise.all(
    Array.from({ length: 6 }, () => post('/api/v1/password/reset', { token, password: 'another1' })),
  )
  expect(resets.map((one) => one.statusCode).sort()).toEqual([200, 410, 410, 410, 410, 410])
  expect(await me({ cookie })).toBeNull()
  expect(outcome(await signIn(email, testPassword))).toEqual([401, 'login_error'])
  expect((await signIn(email, 'another1')).statusCode).toBe(200)
  expect(outcome(await post('/api/v1/password/reset', { token, password: 'third123' }))).toEqual([
    410,
    'link_expired',
  ])
})

test('reset: link older than an hour or of another kind -> link_expired', async () => {
  const { email } = await newPerson()
  await forgot(email)
  const token = tokenIn(await sentTo(app, email))
  expect(outcome(await post('/api/v1/invitation/accept', { token, password: 'another1' }))).toEqual([
    410,
    'link_expired',
  ])
  expect(outcome(await post('/api/v1/email/verify', { token }))).toEqual([410, 'link_expired'])
  await app.database.db.update(authLinksTable).set({ expires_at: Date.now() - 1 })
  expect(outcome(await post('/api/v1/password/reset', { token, password: 'another1' }))).toEqual([
    410,
    'link_expired',
  ])
  const { rows } = await app.database.pool.query('select * from auth_links')
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('forgot: unknown email -> the same response, no email', async () => {
  const { email } = await newPerson()
  const known = await forgot(email, '10.10.0.1')
  const unknown = await forgot('nobody@x.test', '10.10.0.2')
  expect([unknown.statusCode, unknown.json()]).toEqual([known.statusCode, known.json()])
  expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(known.headers).sort())
  await sentTo(app, email)
  const waiting = async () =>
    (
      await app.database.pool.query(
        `select count(*)::int as left from pgboss.job where name = 'identity.mail' and state < 'completed'`,
      )
    ).rows[0].left as number
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
  const { rows } = await app.database.pool.query(`select * from outbox_messages where "to" = 'nobody@x.test'`)
  expect(rows).toEqual([])
  expect(outcome(await forgot('no address'))).toEqual([400, 'proper_email'])
})

test('forgot: repeated -> few emails, the same response', async () => {
  const { email } = await newPerson()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => forgot(email, `10.11.0.${index}`)),
  )
  expect(answers.map((one) => one.statusCode)).toEqual(Array(20).fill(200))
  await sentTo(app, email, 3)
  const one = await Promise.all(
    Array.from({ length: 40 }, (_, index) => forgot(`x${index}@x.test`, '10.12.0.1')),
  )
  expect(one.filter((answer) => answer.statusCode === 200)).toHaveLength(20)
})

test('change: without the current password -> refused; afterwards a stolen cookie is invalid', async () => {
  const { email, uid } = await newPerson()
  const stolen = cookieIn(await signIn(email, testPassword), 'hansom.session_token')
  const cookie = cookieIn(await signIn(email, testPassword), 'hansom.session_token')
  const change = (payload: object) => post('/api/v1/me/password', payload, { headers: { cookie } })
  expect(outcome(await change({ current: 'wrong', password: 'another1' }))).toEqual([401, 'login_error'])
  expect(outcome(await change({ current: testPassword, password: 'x' }))).toEqual([
    400,
    'password_alphaNumeric_check',
  ])
  const changed = await change({ current: testPassword, password: 'another1' })
  expect(changed.statusCode).toBe(200)
  const fresh = cookieIn(changed, 'hansom.session_token')
  expect(fresh).not.toBe(cookie)
  expect(await me({ cookie: stolen })).toBeNull()
  expect(await me({ cookie })).toBeNull()
  expect(await me({ cookie: fresh })).toMatchObject({ uid })
  expect(await me({ authorization: `Bearer ${changed.json().token}` })).toMatchObject({ uid })
  expect((await sentTo(app, email)).kind).toBe('password_changed')
  expect(outcome(await post('/api/v1/me/password', { current: 'another1', password: 'third123' }))).toEqual([
    401,
    'not_logged_in',
  ])
})

test('change: 200 concurrent guesses of the current password -> limited as at sign-in', async () => {
  const { email } = await newPerson()
  const cookie = cookieIn(await signIn(email, testPassword), 'hansom.session_token')
  const { services } = app
  const actor = await services.accounts.authenticate({ cookie })
  if (actor === null) throw new Error('no actor')
  const guesses = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) =>
      services.accounts.change(
        actor,
        { current: `guess${index}`, password: 'another1' },
        { ip: '10.0.0.9', userAgent: '' },
      ),
    ),
  )
  const keys = guesses.map((one) => (one.status === 'rejected' ? one.reason.key : 'let in'))
  expect(keys.filter((key) => key === 'login_error')).toHaveLength(5)
  expect(keys.filter((key) => key === 'too_many_requests')).toHaveLength(195)
})

test('change: during a sign-in -> the sign-in fails, no session', async () => {
  const { email, uid } = await newPerson()
  const { pool } = app.database
  const hash = await app.services.accounts.hashPassword('another1')
  const other = await pool.connect()
  await other.query('begin')
  // The sign-in has checked the old password and is about to open its session.
  await other.query('lock table auth_sessions in share row exclusive mode')
  const underWay = signIn(email, testPassword)
  const isWaiting = async () =>
    (await pool.query(`select 1 from pg_locks where relation = 'auth_sessions'::regclass and not granted`))
      .rowCount
  await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1)
  await other.query('update auth_accounts set password = $1 where user_id = $2', [hash, uid])
  await other.query('delete from auth_sessions where user_id = $1', [uid])
  await other.query('commit')
  other.release()
  expect(outcome(await underWay)).toEqual([401, 'login_error'])
  const left = await app.database.db.select().from(authSessionsTable).where(eq(authSessionsTable.userId, uid))
  expect(left).toEqual([])
})

test('invitation: link -> sets the first password and verifies the email', async () => {
  const email = 'invited@x.test'
  const { accounts } = app.services
  const uid = await app.database.withTransaction(async (tx) => {
    const made = await accounts.createAccount(tx, {
      user: { firstName: 'In', lastName: 'Vited', email, usertype: 'driver', approved: true, createdAt: 1 },
      passwordHash: null,
      emailVerified: false,
    })
    await accounts.invite(tx, made)
    return made
  })
  expect(outcome(await signIn(email, testPassword))).toEqual([401, 'login_error'])
  const message = await sentTo(app, email)
  expect(message.params.link).toContain('/invitation?token=')
  const accepted = await post('/api/v1/invitation/accept', { token: tokenIn(message), password: 'firstone1' })
  expect(accepted.json()).toEqual({ ok: true })
  expect((await signIn(email, 'firstone1')).statusCode).toBe(200)
  const [person] = await app.database.db.select().from(authUsersTable).where(eq(authUsersTable.id, uid))
  expect(person?.emailVerified).toBe(true)
})

test('invitation: user creation rolled back -> not sent', async () => {
  const failing = app.database.withTransaction(async (tx) => {
    const uid = await app.services.accounts.createAccount(tx, {
      user: {
        firstName: 'No',
        lastName: 'One',
        email: 'never@x.test',
        usertype: 'rider',
        approved: true,
        createdAt: 1,
      },
      passwordHash: null,
      emailVerified: false,
    })
    await app.services.accounts.invite(tx, uid)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const { rows } = await app.database.pool.query(
    `select (select count(*)::int from pgboss.job where data->>'kind' = 'invitation') as jobs,
            (select count(*)::int from users where email = 'never@x.test') as people`,
  )
  expect(rows[0].people).toBe(0)
  expect(rows[0].jobs).toBe(1)
})

test('emails: name with an advertisement -> removed', async () => {
  const uid = await app.addUser({
    email: 'spam@x.test',
    usertype: 'rider',
    firstName: 'See http://evil.test/ now',
  })
  expect(uid).toBeTruthy()
  await forgot('spam@x.test', '10.14.0.1')
  const { text } = await sentTo(app, 'spam@x.test')
  expect(text).not.toContain('evil.test')
  expect(text).not.toContain('://evil')
})

test("emails: user's locale -> texts in that language", async () => {
  await app.addUser({ email: 'ar@x.test', usertype: 'rider', locale: 'ar' })
  await forgot('ar@x.test', '10.14.0.2')
  expect((await sentTo(app, 'ar@x.test')).subject).toContain('كلمة مرور')
  expect(
    (await app.database.db.select().from(usersTable).where(eq(usersTable.email, 'ar@x.test'))).length,
  ).toBe(1)
})

test('invitation: repeated by an admin -> too_many_requests', async () => {
  await app.addUser({ email: 'inviter@x.test', usertype: 'admin' })
  const headers = { authorization: await app.bearer('inviter@x.test') }
  const input = { usertype: 'rider', firstName: 'A', lastName: 'B', email: 'flooded@x.test' }
  const { uid } = (await post('/api/v1/users', input, { headers })).json()
  const again = await Promise.all(
    Array.from({ length: 10 }, () => post(`/api/v1/users/${uid}/invite`, {}, { headers })),
  )
  expect(again.map((one) => one.statusCode).sort()).toEqual([200, 200, 200, ...Array(7).fill(429)])
})
