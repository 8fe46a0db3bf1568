import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { loadConfig } from '../../config.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createOutbox, type Outbox } from '../../platform/outbox/outbox.ts'
import { createTestApp, secret, type TestApp, testPassword } from '../../test-app.ts'
import { usersTable } from '../users/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { cookieIn, outcome, poster, sentTo, tokenIn, withWork } from './accounts.fixture.ts'

let app: TestApp
let address: string
/** Writes events directly. */
let outbox: Outbox
beforeAll(async () => {
  app = await createTestApp()
  await app.start()
  outbox = createOutbox({ database: app.database, log: silentLog() })
  address = await app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

const post = poster(() => app)
let number = 0
const newPerson = async (more: object = {}) => {
  number += 1
  const email = `s${number}@x.test`
  return { email, uid: await app.addUser({ email, usertype: 'rider', ...more }) }
}
const signIn = async (email: string, headers: Record<string, string> = {}) => {
  const answer = await post(
    '/api/auth/sign-in/email',
    { email, password: testPassword },
    { headers, from: `10.30.0.${number}` },
  )
  return {
    cookie: cookieIn(answer, 'hansom.session_token'),
    device: cookieIn(answer, 'hansom.device'),
    answer,
  }
}
const get = async (url: string, cookie: string) =>
  (await app.server.inject({ url, headers: { cookie } })).json()
const me = (cookie: string) => get('/api/v1/me', cookie)

/** Opens a connection with a cookie; `closed` resolves to its close code, `why` to the reason. */
async function connected(cookie: string): Promise<{ closed: Promise<number>; why: Promise<string> }> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/live`, {
    headers: { cookie, origin: address },
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const why = new Promise<string>((resolve) => socket.on('close', (_code, reason) => resolve(String(reason))))
  await new Promise((resolve, reject) => {
    socket.on('message', resolve)
    socket.on('error', reject)
  })
  return { closed, why }
}

test('sign-in: same browser again -> replaces the session', async () => {
  const { email } = await newPerson()
  const first = await signIn(email)
  const second = await signIn(email, { cookie: first.cookie })
  expect(second.cookie).not.toBe(first.cookie)
  expect(await me(first.cookie)).toBeNull()
  expect(await me(second.cookie)).not.toBeNull()
})

test('sessions: user -> sees their own, ends one or all', async () => {
  const { email } = await newPerson()
  const [here, there] = [await signIn(email), await signIn(email)]
  const other = await signIn((await newPerson()).email)
  const list = await get('/api/v1/me/sessions', here.cookie)
  expect(list).toHaveLength(2)
  expect(list.filter((one: { current: boolean }) => one.current)).toHaveLength(1)
  expect(list[0]).toMatchObject({ address: expect.stringMatching(/^10\.30\./), lastUsed: expect.any(Number) })
  const [foreign] = await get('/api/v1/me/sessions', other.cookie)
  const end = (id: string) =>
    app.server.inject({
      method: 'DELETE',
      url: `/api/v1/me/sessions/${id}`,
      headers: { cookie: here.cookie },
    })
  expect(outcome(await end(foreign.id))).toEqual([404, 'not_found'])
  const away = list.find((one: { current: boolean }) => !one.current)
  const ended = await connected(there.cookie)
  expect((await end(away.id)).json()).toEqual({ ok: true })
  expect(await me(there.cookie)).toBeNull()
  expect(await ended.why).toBe('signed_out_elsewhere')
  const { closed, why } = await connected(here.cookie)
  const out = await post('/api/v1/me/sign-out-everywhere', {}, { headers: { cookie: here.cookie } })
  expect(cookieIn(out, 'hansom.session_token')).toBe('hansom.session_token=')
  expect(await me(here.cookie)).toBeNull()
  expect(await closed).toBeGreaterThan(4_000)
  expect(await why).toBe('signed_out_elsewhere')
  expect(await me(other.cookie)).not.toBeNull()
})

test.each([
  ['approval', { approved: false }],
  ['type', { usertype: 'fleetadmin' as const }],
])('session: user gets another %s -> ended immediately, with open connections', async (_, change) => {
  const { email, uid } = await newPerson()
  const { cookie } = await signIn(email)
  const { closed } = await connected(cookie)
  await app.database.withTransaction(async (tx) => {
    await tx.db.update(usersTable).set(change).where(eq(usersTable.id, uid))
    await outbox.write(tx, [userChangedEvent(uid, true)])
  })
  expect(await closed).toBeGreaterThan(4_000)
  expect(await me(cookie)).toBeNull()
})

test('sign-in: guesses from many addresses -> never lock out a known device', async () => {
  const { email } = await newPerson()
  const { device } = await signIn(email)
  expect(device).toMatch(/^hansom\.device=./)
  const guess = (from: string, headers: Record<string, string> = {}, password = 'guess') =>
    post('/api/auth/sign-in/email', { email, password }, { from, headers })
  // Also from the owner's own address, which is now blocked.
  const answers = await Promise.all(Array.from({ length: 40 }, () => guess('10.31.0.1')))
  expect(answers.filter((one) => one.statusCode === 401)).toHaveLength(5)
  expect(answers.filter((one) => one.statusCode === 429)).toHaveLength(35)
  expect(outcome(await guess('10.31.0.1', {}, testPassword))).toEqual([429, 'too_many_requests'])
  expect((await guess('10.31.0.1', { cookie: device }, testPassword)).statusCode).toBe(200)
  // Another user's device has no advantage, and a device is allowed as many guesses as an IP address.
  const stranger = await signIn((await newPerson()).email)
  expect(outcome(await guess('10.31.0.1', { cookie: stranger.device }))).toEqual([429, 'too_many_requests'])
  const byDevice = await Promise.all(Array.from({ length: 20 }, () => guess('10.31.0.2', { cookie: device })))
  expect(byDevice.filter((one) => one.statusCode === 401)).toHaveLength(5)
})

test("change email: link opened in the account's own session -> stored, once", async () => {
  const { email, uid } = await newPerson({ loginType: 'apple' })
  const { cookie } = await signIn(email)
  const change = (text: string) => post('/api/v1/me/email', { email: text }, { headers: { cookie } })
  expect(outcome(await change('nonsense'))).toEqual([400, 'proper_email'])
  expect(outcome(await change((await newPerson()).email))).toEqual([409, 'user_exists'])
  expect((await change(`New.${email}`)).statusCode).toBe(200)
  expect(await me(cookie)).toMatchObject({ email })
  const token = tokenIn(await sentTo(app, `new.${email}`))
  const confirm = (headers: Record<string, string>) => post('/api/v1/email/confirm', { token }, { headers })
  expect(outcome(await confirm({}))).toEqual([401, 'not_logged_in'])
  const other = await signIn((await newPerson()).email)
  expect(outcome(await confirm({ cookie: other.cookie }))).toEqual([403, 'link_other_account'])
  expect(await me(cookie)).toMatchObject({ email })
  expect((await confirm({ cookie })).statusCode).toBe(200)
  expect(await me(cookie)).toMatchObject({ uid, email: `new.${email}` })
  expect(outcome(await confirm({ cookie }))).toEqual([410, 'link_expired'])
  expect((await sentTo(app, email)).kind).toBe('email_changed')
  expect((await signIn(`new.${email}`)).answer.statusCode).toBe(200)
})

test('change email: address taken meanwhile -> user_exists', async () => {
  const { email } = await newPerson({ loginType: 'facebook' })
  const { cookie } = await signIn(email)
  await post('/api/v1/me/email', { email: 'wanted@x.test' }, { headers: { cookie } })
  const token = tokenIn(await sentTo(app, 'wanted@x.test'))
  await app.addUser({ email: 'wanted@x.test', usertype: 'rider' })
  const answer = await post('/api/v1/email/confirm', { token }, { headers: { cookie } })
  expect(outcome(answer)).toEqual([409, 'user_exists'])
  expect(await me(cookie)).toMatchObject({ email })
})

test('change mobile: code entered by the same user -> stored', async () => {
  const { email } = await newPerson()
  const { cookie } = await signIn(email)
  const other = await signIn((await newPerson()).email)
  const ask = (payload: object) =>
    withWork((work) => post('/api/v1/me/mobile', { ...payload, ...work }, { headers: { cookie } }))
  expect(outcome(await ask({ phoneCode: '598', mobile: '1' }))).toEqual([400, 'mobile_no_blank_error'])
  const { verificationId } = (await ask({ phoneCode: '598', mobile: '94000001' })).json()
  const { code = '' } = (await sentTo(app, '+59894000001')).params
  const confirm = (by: string, otp: string) =>
    post('/api/v1/me/mobile/confirm', { verificationId, otp }, { headers: { cookie: by } })
  expect(outcome(await confirm(other.cookie, code))).toEqual([422, 'wrong_login_code'])
  expect(outcome(await confirm(cookie, 'x'))).toEqual([400, 'otp_validate_error'])
  expect(await me(cookie)).toMatchObject({ mobile: null })
  expect((await confirm(cookie, code)).statusCode).toBe(200)
  expect(await me(cookie)).toMatchObject({ mobile: '+59894000001' })
  // Accounts that sign in by email keep both contacts from now on.
  expect(outcome(await ask({ phoneCode: '598', mobile: '94000002' }))).toEqual([403, 'forbidden'])
  expect(outcome(await post('/api/v1/me/email', { email: 'a@b.co' }, { headers: { cookie } }))).toEqual([
    403,
    'forbidden',
  ])
})

test('change mobile: two numbers requested concurrently -> an account by email adds one', async () => {
  const { cookie } = await signIn((await newPerson()).email)
  const headers = { cookie }
  const codes = []
  for (const mobile of ['94000011', '94000012']) {
    const asked = await withWork((work) =>
      post('/api/v1/me/mobile', { phoneCode: '598', mobile, ...work }, { headers }),
    )
    const { verificationId } = asked.json()
    const { code: otp } = (await sentTo(app, `+598${mobile}`)).params
    codes.push({ verificationId, otp })
  }
  const given = await Promise.all(codes.map((code) => post('/api/v1/me/mobile/confirm', code, { headers })))
  expect(given.map((one) => one.statusCode).sort()).toEqual([200, 403])
})

test('session: opened before better-auth was removed -> still valid', async () => {
  const { email, uid } = await newPerson()
  await signIn(email)
  // As better-auth created it: 32 letters and digits, signed with HMAC-SHA256 in Base64.
  const token = 'Zq3fX0aLk9sTdV7cPw2hRm5nBy8uEj1G'
  await app.database.pool.query('update auth_sessions set token = $2 where user_id = $1', [uid, token])
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  const cookie = `hansom.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  expect((await me(cookie)).uid).toBe(uid)
})

test('cookies: site on https -> secure', async () => {
  const config = { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: false, publicUrl: 'https://rides.test' }
  const secure = await createTestApp({ config })
  await secure.addUser({ email: 'a@x.test', usertype: 'rider' })
  const answer = await secure.server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: 'a@x.test', password: testPassword },
  })
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  expect(cookies).toHaveLength(2)
  for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/)
  await secure.close()
})

test('purge: expired rows -> removed, others stay', async () => {
  const { email, uid } = await newPerson()
  const { cookie } = await signIn(email)
  await signIn(email)
  const { pool } = app.database
  const count = async () =>
    (await pool.query('select from auth_sessions where user_id = $1', [uid])).rowCount ?? 0
  const [token = ''] = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1)).split('.')
  await pool.query(
    `update auth_sessions set expires_at = now() - interval '1 second' where user_id = $1 and token <> $2`,
    [uid, token],
  )
  expect(await count()).toBe(2)
  await app.services.accounts.sessions.purge()
  expect(await count()).toBe(1)
  expect((await me(cookie)).uid ?? null).toBe(uid)
})
