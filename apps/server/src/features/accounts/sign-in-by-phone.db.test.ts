import { afterAll, beforeAll, expect, test } from 'vitest'
import { SmsError } from '../../adapters/sms/port.ts'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { cookieIn, outcome, poster, withWork } from './accounts.fixture.ts'
import { authCodesTable } from './table.ts'

let app: TestApp
let clock: ManualClock
let number = 0
let broken = false
const sent: { to: string; text: string; params: Readonly<Record<string, string>> }[] = []
beforeAll(async () => {
  clock = manualClock()
  const send = async (message: (typeof sent)[number]) => {
    if (broken) throw new SmsError('the service is unavailable', false)
    sent.push(message)
  }
  app = await createTestApp({ clock, sms: { send } })
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { MobileLoginEnabled: true }))
})
afterAll(() => app.close())

const post = poster(() => app)
const newPerson = async () => {
  number += 1
  const mobile = `9970${String(number).padStart(4, '0')}`
  const uid = await app.addUser({
    email: `m${number}@x.test`,
    usertype: 'rider',
    mobile: `+598${mobile}`,
    mobile_verified_at: 1,
  })
  return { uid, mobile, phoneCode: '598' }
}
const request = (
  { phoneCode, mobile }: { phoneCode: string; mobile: string },
  from = `10.20.0.${number}`,
  headers: Record<string, string> = {},
) => withWork((work) => post('/api/v1/sign-in/phone/code', { phoneCode, mobile, ...work }, { from, headers }))
const verify = (verificationId: string, otp: string, from = `10.20.1.${number}`) =>
  post('/api/v1/sign-in/phone', { verificationId, otp }, { from })
const lastCode = () => sent.at(-1)?.params.code ?? ''
const otherThan = (code: string) => String(code === '100001' ? 100_002 : Number(code) - 1)

test('code: sent by text -> opens a session, once', async () => {
  const person = await newPerson()
  const asked = await request(person)
  expect(asked.json()).toEqual({
    verificationId: expect.any(String),
    expiresAt: clock.now() + 5 * 60_000,
    retryAfterS: 30,
  })
  expect(sent.at(-1)?.to).toBe(`+598${person.mobile}`)
  expect(sent.at(-1)?.text).toContain(lastCode())
  const { verificationId } = asked.json()
  const answers = await Promise.all(Array.from({ length: 4 }, () => verify(verificationId, lastCode())))
  expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 422, 422, 422])
  const opened = answers.find((one) => one.statusCode === 200)
  expect(opened?.json()).toMatchObject({ uid: person.uid })
  expect(String(opened?.headers['set-cookie'])).toContain('HttpOnly; SameSite=Lax')
})

test('code: malformed -> not the same error as wrong', async () => {
  const person = await newPerson()
  const { verificationId } = (await request(person)).json()
  for (const otp of ['', '12345', '100000', '099999', '1234567', 'abcdef']) {
    expect(outcome(await verify(verificationId, otp)), otp).toEqual([400, 'otp_validate_error'])
  }
  expect(outcome(await verify(verificationId, otherThan(lastCode())))).toEqual([422, 'wrong_login_code'])
  expect(outcome(await verify('made up', lastCode()))).toEqual([422, 'wrong_login_code'])
})

test('code: 200 concurrent guesses -> five compared, then the correct code is refused', async () => {
  const person = await newPerson()
  const { verificationId } = (await request(person)).json()
  const { phone } = app.services.accounts
  const wrong = otherThan(lastCode())
  const guesses = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      phone.signIn({ verificationId, otp: wrong }, { ip: '10.0.0.1', userAgent: '' }),
    ),
  )
  const keys = guesses.map((one) => (one.status === 'rejected' ? one.reason.key : 'let in'))
  expect(keys.filter((key) => key === 'wrong_login_code')).toHaveLength(5)
  expect(keys.filter((key) => key === 'too_many_requests')).toHaveLength(195)
  expect(outcome(await verify(verificationId, lastCode()))).toEqual([429, 'too_many_requests'])
})

test("code: guesses by a stranger -> do not use up the requester's tries", async () => {
  const person = await newPerson()
  const own = (await request(person, '10.21.0.1')).json().verificationId
  const code = lastCode()
  const stranger = (await request(person, '10.21.0.2')).json().verificationId
  for (let guess = 0; guess < 8; guess += 1) await verify(stranger, otherThan(lastCode()))
  expect((await verify(own, code)).statusCode).toBe(200)
})

test('code: older than five minutes -> wrong_login_code', async () => {
  const person = await newPerson()
  const { verificationId } = (await request(person)).json()
  await clock.advance(5 * 60_000)
  expect(outcome(await verify(verificationId, lastCode()))).toEqual([422, 'wrong_login_code'])
})

test('request: unknown user, invalid number or switched off -> refused', async () => {
  expect(outcome(await request({ phoneCode: '598', mobile: '99999999' }, '10.22.0.1'))).toEqual([
    404,
    'user_does_not_exists',
  ])
  expect(outcome(await request({ phoneCode: '598', mobile: '99 99' }))).toEqual([
    400,
    'mobile_no_blank_error',
  ])
  const waiting = { phoneCode: '598', mobile: '98000001' }
  await app.addUser({
    email: 'w@x.test',
    usertype: 'driver',
    approved: false,
    mobile: '+59898000001',
    mobile_verified_at: 1,
  })
  const { verificationId } = (await request(waiting, '10.22.0.2')).json()
  expect(outcome(await verify(verificationId, lastCode()))).toEqual([403, 'require_approval'])
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { MobileLoginEnabled: false }))
  expect(outcome(await request(waiting, '10.22.0.3'))).toEqual([403, 'forbidden'])
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { MobileLoginEnabled: true }))
})

test('request: repeated from one address -> growing waits, few texts', async () => {
  const person = await newPerson()
  const before = sent.length
  const parallel = await Promise.all(Array.from({ length: 50 }, () => request(person, '10.23.0.1')))
  expect(parallel.filter((one) => one.statusCode === 200)).toHaveLength(1)
  const fromEverywhere = await Promise.all(
    Array.from({ length: 50 }, (_, index) => request(person, `10.24.0.${index}`)),
  )
  expect(fromEverywhere.filter((one) => one.statusCode === 200)).toHaveLength(9)
  expect(sent.length - before).toBe(10)
  await clock.advance(60_000)
  expect((await request(person, '10.25.0.1')).statusCode).toBe(200)
})

test('request: many strangers for one number -> known device is not locked out', async () => {
  const person = await newPerson()
  const signIn = async (headers: Record<string, string> = {}) => {
    const asked = await request(person, '10.26.0.1', headers)
    return asked.statusCode === 200 ? verify(asked.json().verificationId, lastCode(), '10.26.0.1') : asked
  }
  const cookie = cookieIn(await signIn(), 'hansom.phone')
  expect(cookie).toMatch(/^hansom\.phone=./)
  await Promise.all(Array.from({ length: 20 }, (_, index) => request(person, `10.27.0.${index}`)))
  expect(outcome(await signIn())).toEqual([429, 'too_many_requests'])
  expect((await signIn({ cookie })).statusCode).toBe(200)
  // The device counts for its own number only, and is limited as well.
  const other = await newPerson()
  await Promise.all(Array.from({ length: 20 }, (_, index) => request(other, `10.27.1.${index}`)))
  expect((await request(other, '10.27.2.1', { cookie })).statusCode).toBe(429)
  const many = await Promise.all(Array.from({ length: 20 }, () => request(person, '10.27.3.1', { cookie })))
  expect(many.filter((one) => one.statusCode === 200)).toHaveLength(2)
})

test('request: codes entered -> not counted against a shared address', async () => {
  const from = '10.28.0.1'
  for (let count = 0; count < 25; count += 1) {
    const { verificationId } = (await request(await newPerson(), from)).json()
    expect((await verify(verificationId, lastCode(), from)).statusCode).toBe(200)
  }
  const unanswered = []
  for (let count = 0; count < 25; count += 1) unanswered.push(await request(await newPerson(), from))
  expect(unanswered.filter((one) => one.statusCode === 200)).toHaveLength(20)
})

test('request: text cannot be sent -> unavailable', async () => {
  const person = await newPerson()
  broken = true
  expect(outcome(await request(person))).toEqual([503, 'unavailable'])
  broken = false
})

test('sign-in: number now belongs to another user -> wrong_login_code', async () => {
  const person = await newPerson()
  const { verificationId } = (await request(person)).json()
  await app.database.pool.query('update users set mobile = null where id = $1', [person.uid])
  expect(outcome(await verify(verificationId, lastCode()))).toEqual([422, 'wrong_login_code'])
})

test('stored code: reveals nothing', async () => {
  await request(await newPerson())
  const rows = await app.database.db.select().from(authCodesTable)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map((row) => row.code_hash).join()).not.toContain(lastCode())
})
