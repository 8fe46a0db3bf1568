import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, testPassword } from '../../test-app.ts'
import { usersTable } from '../users/table.ts'
import { outcome, poster, sentTo, tokenIn, withWork, workFor } from './accounts.fixture.ts'
import { authSessionsTable } from './table.ts'

let app: TestApp
let number = 0
const codes = new Map<string, string>()
beforeAll(async () => {
  app = await createTestApp({
    sms: { send: async ({ to, params }) => void codes.set(to, String(params.code)) },
    limits: { all: 1e6, signIn: 1e6 },
  })
  await app.start()
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { MobileLoginEnabled: true }))
})
afterAll(() => app.close())

const send = poster(() => app)
/** Each from its own IP address. */
const post = (url: string, payload: object, headers: Record<string, string> = {}) => {
  number += 1
  return send(url, payload, { headers, from: `10.60.${number >> 8}.${number & 255}` })
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const newcomer = () => {
  number += 1
  const mobile = `9730${String(number).padStart(4, '0')}`
  return {
    firstName: 'Ana',
    lastName: 'Sosa',
    email: `proof${number}@x.test`,
    password: 'abc123',
    phoneCode: '598',
    mobile,
  }
}
type Newcomer = ReturnType<typeof newcomer>
const signUp = async (person: Newcomer) => (await post('/api/v1/sign-up', person)).json().uid as string
const byEmail = (email: string, password: string) => post('/api/auth/sign-in/email', { email, password })
/** Requests a code and enters it. */
async function byPhone({ phoneCode, mobile }: Pick<Newcomer, 'phoneCode' | 'mobile'>) {
  const asked = await withWork((work) => post('/api/v1/sign-in/phone/code', { phoneCode, mobile, ...work }))
  const otp = codes.get(`+${phoneCode}${mobile}`) ?? ''
  return post('/api/v1/sign-in/phone', { verificationId: asked.json().verificationId, otp })
}
const prove = (by: { proof: string; password?: string; link?: string }) =>
  post('/api/v1/sign-in/phone/prove', by)
const proofIn = (answer: Awaited<ReturnType<typeof byPhone>>) => answer.json().data.proof as string
/** Verifies the user's own number while signed in. */
async function proveOwn({ email, password, phoneCode, mobile }: Newcomer) {
  const headers = bearer((await byEmail(email, password)).json().token)
  const asked = await withWork((work) => post('/api/v1/me/mobile', { phoneCode, mobile, ...work }, headers))
  const otp = codes.get(`+${phoneCode}${mobile}`) ?? ''
  const confirm = () =>
    post('/api/v1/me/mobile/confirm', { verificationId: asked.json().verificationId, otp }, headers)
  return { asked, confirm, headers }
}
async function resetLink(email: string, count = 1) {
  await post('/api/v1/password/forgot', { email })
  const rows = async () => (await sentTo(app, email, count)) as Awaited<ReturnType<typeof sentTo>>
  return tokenIn(await rows())
}
const row = async (uid: string) => {
  const [found] = await app.database.db.select().from(usersTable).where(eq(usersTable.id, uid))
  return found
}
const sessionsOf = (uid: string) =>
  app.database.db.select().from(authSessionsTable).where(eq(authSessionsTable.userId, uid))

test('sign-in by phone: account created by a stranger with that number -> no access', async () => {
  const stranger = newcomer()
  const uid = await signUp(stranger)
  const answer = await byPhone(stranger)
  expect(outcome(answer)).toEqual([403, 'phone_not_proven'])
  expect(answer.json().data).toEqual({ proof: expect.any(String), email: 'p•••@x.test' })
  expect(outcome(await prove({ proof: proofIn(answer), password: 'guess1' }))).toEqual([401, 'login_error'])
  expect(await sessionsOf(uid)).toEqual([])
  expect((await row(uid))?.mobile_verified_at).toBeNull()
})

test('sign-in by phone: first time -> password required; later -> code only', async () => {
  const person = newcomer()
  const uid = await signUp(person)
  const proven = await prove({ proof: proofIn(await byPhone(person)), password: person.password })
  expect(proven.json()).toMatchObject({ uid })
  expect((await row(uid))?.mobile_verified_at).toEqual(expect.any(Number))
  expect((await byPhone(person)).json()).toMatchObject({ uid })
})

test('sign-in by phone: too many password guesses from the address at sign-in -> refused here too', async () => {
  const person = newcomer()
  await signUp(person)
  const proof = proofIn(await byPhone(person))
  const from = '10.61.0.1'
  const { pool } = app.database
  const { rows } = await pool.query('select array_agg(key) as keys from auth_attempts')
  await send('/api/auth/sign-in/email', { email: 'nobody@x.test', password: 'guess1' }, { from })
  await pool.query(
    'update auth_attempts set count = 1000, blocked_until = last_at + 600000 where key <> all($1)',
    [rows[0].keys],
  )
  const guess = (address: string) =>
    send('/api/v1/sign-in/phone/prove', { proof, password: 'guess1' }, { from: address })
  expect(outcome(await guess(from))).toEqual([429, 'too_many_requests'])
  expect(outcome(await guess('10.61.0.2'))).toEqual([401, 'login_error'])
})

test('sign-in by phone: emailed link -> needs the proof from the entered code', async () => {
  const person = newcomer()
  const uid = await signUp(person)
  const proof = proofIn(await byPhone(person))
  expect((await post('/api/v1/sign-in/phone/mail', { proof })).statusCode).toBe(200)
  const link = tokenIn(await sentTo(app, person.email))
  const other = newcomer()
  await signUp(other)
  const foreign = proofIn(await byPhone(other))
  expect(outcome(await prove({ proof: foreign, link }))).toEqual([410, 'link_expired'])
  expect(outcome(await prove({ proof: `${proof}x`, link }))).toEqual([410, 'link_expired'])
  expect(outcome(await prove({ proof, link: 'made-up' }))).toEqual([410, 'link_expired'])
  expect((await prove({ proof, link })).json()).toMatchObject({ uid })
  expect(outcome(await prove({ proof, link }))).toEqual([410, 'link_expired'])
  // The password was chosen by someone who had not verified the email address.
  expect(outcome(await byEmail(person.email, person.password))).toEqual([401, 'login_error'])
})

test('reset: account created by an intruder with their own verified number -> the intruder is locked out', async () => {
  const intruder = newcomer()
  const uid = await signUp(intruder)
  const { confirm, headers } = await proveOwn(intruder)
  expect((await confirm()).statusCode).toBe(200)
  expect((await byPhone(intruder)).statusCode).toBe(200)
  const token = await resetLink(intruder.email)
  expect((await post('/api/v1/password/reset', { token, password: 'owner1' })).statusCode).toBe(200)
  expect(await sessionsOf(uid)).toEqual([])
  expect((await send('/api/v1/me/sign-out-everywhere', {}, { headers })).statusCode).toBe(401)
  const again = await byPhone(intruder)
  expect(outcome(again)).toEqual([403, 'phone_not_proven'])
  expect(outcome(await prove({ proof: proofIn(again), password: intruder.password }))).toEqual([
    401,
    'login_error',
  ])
  expect((await byEmail(intruder.email, 'owner1')).statusCode).toBe(200)
})

test('reset: concurrent with verification by password, by code and by sign-in -> no session and no verification left', async () => {
  for (let round = 0; round < 2; round += 1) {
    const intruder = newcomer()
    const uid = await signUp(intruder)
    const proof = proofIn(await byPhone(intruder))
    const { confirm } = await proveOwn(intruder)
    const token = await resetLink(intruder.email)
    const [reset] = await Promise.all([
      post('/api/v1/password/reset', { token, password: 'owner1' }),
      prove({ proof, password: intruder.password }),
      confirm(),
      byPhone(intruder),
      byEmail(intruder.email, intruder.password),
    ])
    expect(reset.statusCode).toBe(200)
    expect(await sessionsOf(uid)).toEqual([])
    expect((await row(uid))?.mobile_verified_at).toBeNull()
    expect(outcome(await byPhone(intruder))).toEqual([403, 'phone_not_proven'])
  }
}, 60_000)

test("driver added with the fleet admin's own number: fleet admin -> cannot sign in as the driver", async () => {
  const fleetAdmin = 'fleet-proof@x.test'
  await app.addUser({ email: fleetAdmin, usertype: 'fleetadmin' })
  const token = (await byEmail(fleetAdmin, testPassword)).json().token as string
  const driver = newcomer()
  const { firstName, lastName, email, mobile } = driver
  const added = await post(
    '/api/v1/users',
    { usertype: 'driver', firstName, lastName, email, mobile: `0${mobile}` },
    bearer(token),
  )
  expect(added.statusCode).toBe(201)
  const invitation = tokenIn(await sentTo(app, email))
  expect(
    (await post('/api/v1/invitation/accept', { token: invitation, password: 'driver1' })).statusCode,
  ).toBe(200)
  await app.database.pool.query('update users set approved = true where email = $1', [email])
  const answer = await byPhone(driver)
  expect(outcome(answer)).toEqual([403, 'phone_not_proven'])
  for (const password of ['', testPassword]) {
    expect((await prove({ proof: proofIn(answer), password })).statusCode).toBe(401)
  }
  expect(await sessionsOf(added.json().uid)).toEqual([])
})

test('email: first verification -> sessions end, the password stays', async () => {
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { email_verify: true }))
  const person = newcomer()
  const uid = await signUp(person)
  const token = tokenIn(await sentTo(app, person.email))
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { email_verify: false }))
  expect((await byEmail(person.email, person.password)).statusCode).toBe(200)
  expect((await post('/api/v1/email/verify', { token })).statusCode).toBe(200)
  expect(await sessionsOf(uid)).toEqual([])
  expect((await byEmail(person.email, person.password)).statusCode).toBe(200)
})

test('code: no work, work for another number or used work -> not sent', async () => {
  const person = newcomer()
  await signUp(person)
  const other = newcomer()
  await signUp(other)
  const ask = ({ phoneCode, mobile }: Newcomer, more: object = {}) =>
    post('/api/v1/sign-in/phone/code', { phoneCode, mobile, ...more })
  const asked = await ask(person)
  expect(outcome(asked)).toEqual([428, 'proof_of_work_needed'])
  const work = workFor(asked.json().data)
  const isRefused = async (answer: ReturnType<typeof ask>) =>
    expect(outcome(await answer)).toEqual([428, 'proof_of_work_needed'])
  await isRefused(ask(other, { work }))
  await isRefused(ask(person, { work: { ...work, nonces: work.nonces.map((nonce) => nonce + 1) } }))
  await isRefused(ask(person, { work: { ...work, challenge: `${work.challenge}x` } }))
  const twice = await Promise.all([ask(person, { work }), ask(person, { work }), ask(person, { work })])
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 428, 428])
})
