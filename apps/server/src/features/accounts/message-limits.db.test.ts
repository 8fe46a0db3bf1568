import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, loadTestConfig, type TestApp } from '../../test-app.ts'
import { outcome, poster, withWork } from './accounts.fixture.ts'

const full = [409, 'message_limit']
const config = loadTestConfig()
const { mails, texts } = config.messageLimits
let app: TestApp
beforeAll(async () => {
  const messageLimits = { mails, texts: { ...texts, person: 1, address: 1 } }
  app = await createTestApp({ config: { ...config, messageLimits } })
  await app.database.withTransaction((tx) =>
    app.services.settings.update(tx, { MobileLoginEnabled: true, email_verify: true }),
  )
  await app.addUser({
    email: 'known@x.test',
    usertype: 'rider',
    mobile: '+59899700001',
    mobile_verified_at: 1,
  })
})
afterAll(() => app.close())
beforeEach(() => app.database.pool.query('truncate message_counts'))

const post = poster(() => app)
let from = 0
const code = (mobile: string) =>
  withWork((work) =>
    post('/api/v1/sign-in/phone/code', { phoneCode: '598', mobile, ...work }, { from: `10.30.0.${++from}` }),
  )
const forgot = (email: string) => post('/api/v1/password/forgot', { email }, { from: `10.30.0.${++from}` })
/** The day's limit of a channel is used up, for messages about accounts, too. */
const fill = (channel: 'mails' | 'texts') =>
  app.database.pool.query('insert into message_counts (day, key, sent) values ($1, $2, $3)', [
    new Date().toISOString().slice(0, 10),
    `${channel} total`,
    config.messageLimits[channel].total,
  ])
const stored = async () =>
  (await app.database.pool.query<{ kind: string }>('select kind from outbox_messages')).rows.map(
    ({ kind }) => kind,
  )
const dropped = async () =>
  (await app.database.pool.query('select key, dropped from message_counts where dropped > 0')).rows

test('sign-in code: the day’s text messages used up -> message_limit, for unknown numbers, too', async () => {
  await fill('texts')
  expect(outcome(await code('99700001'))).toEqual(full)
  expect(outcome(await code('99700002'))).toEqual(full)
  expect(await stored()).not.toContain('sign_in_code')
  expect(await dropped()).toEqual([{ key: 'texts total', dropped: 2 }])
})

test('sign-in code: the number’s own messages used up -> message_limit instead of a code that never comes', async () => {
  const { pool } = app.database
  await pool.query('delete from auth_attempts')
  expect((await code('99700001')).statusCode).toBe(200)
  await pool.query('delete from auth_attempts')
  expect(outcome(await code('99700001'))).toEqual(full)
  expect((await stored()).filter((kind) => kind === 'sign_in_code')).toHaveLength(1)
})

test('forgotten password: the day’s emails used up -> message_limit, for unknown addresses, too', async () => {
  await fill('mails')
  expect(outcome(await forgot('known@x.test'))).toEqual(full)
  expect(outcome(await forgot('unknown@x.test'))).toEqual(full)
  // Text messages have a limit of their own.
  expect((await code('99700003')).json().error).toBe('user_does_not_exists')
})

test('sign-up that needs a confirmed email: the day’s emails used up -> message_limit, no account', async () => {
  await fill('mails')
  const request = {
    firstName: 'Ada',
    lastName: 'New',
    email: 'new@x.test',
    password: 'abc123',
    phoneCode: '598',
    mobile: '99700009',
    usertype: 'rider',
  }
  expect(outcome(await post('/api/v1/sign-up', request, { from: '10.31.0.1' }))).toEqual(full)
  const { rows } = await app.database.pool.query(`select from users where email = 'new@x.test'`)
  expect(rows).toEqual([])
})
