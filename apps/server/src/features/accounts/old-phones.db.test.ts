import type { UserView } from '@hansom/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { outcome, sentTo } from './accounts.fixture.ts'

let app: TestApp
let admin: string
let second: string
beforeAll(async () => {
  app = await createTestApp({ limits: { all: 1e6, signIn: 1e6 } })
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  admin = await app.bearer('admin@x.test')
})
afterAll(() => app.close())

/** Creates a user with a number in an older version's form. */
async function stored(email: string, mobile: string | null) {
  const uid = await app.addUser({ email, usertype: 'rider' })
  await app.database.pool.query('update users set mobile = $2, mobile_verified_at = 1 where id = $1', [
    uid,
    mobile,
  ])
  return uid
}
const mobileOf = async (uid: string) => {
  const { rows } = await app.database.pool.query('select mobile, version from users where id = $1', [uid])
  return rows[0] as { mobile: string | null; version: number }
}
const collisions = async () => {
  const answer = await app.server.inject({
    url: '/api/v1/phone-collisions',
    headers: { authorization: admin },
  })
  const found = answer.json<{ mobile: string; people: UserView[] }[]>()
  return found.map(({ mobile, people }) => [mobile, ...people.map(({ uid }) => uid)])
}
const correct = async (uid: string, body: object) =>
  app.server.inject({
    method: 'POST',
    url: `/api/v1/users/${uid}/correct-contact`,
    headers: { authorization: admin },
    payload: { version: (await mobileOf(uid)).version, ...body },
  })
const oldPhones = () => app.services.accounts.oldPhones

test('old numbers: stopped after a batch, and run twice concurrently -> each converted once', async () => {
  const zero = await stored('zero@x.test', '+598099123401')
  const local = await stored('local@x.test', '099 123 402')
  const whole = await stored('whole@x.test', '+59899123403')
  const unknown = await stored('unknown@x.test', '+99999999')
  const owner = await stored('owner@x.test', '+59899123404')
  second = await stored('second@x.test', '+598099123404')
  const third = await stored('third@x.test', '+5980 99123404')
  await Promise.all([oldPhones().nextBatch(), oldPhones().nextBatch()])
  while (await oldPhones().nextBatch());
  expect((await mobileOf(zero)).mobile).toBe('+59899123401')
  expect((await mobileOf(local)).mobile).toBe('+59899123402')
  expect((await mobileOf(whole)).mobile).toBe('+59899123403')
  expect((await mobileOf(unknown)).mobile).toBe('+99999999')
  expect((await mobileOf(second)).mobile).toBe('+598099123404')
  expect(await collisions()).toEqual([['+59899123404', owner, ...[second, third].sort()]])
  expect(await oldPhones().nextBatch()).toBe(false)
})

test('collision: admin removes the number from its owner -> the next user gets it, all are notified, sessions end', async () => {
  const [[mobile, owner] = []] = await collisions()
  const bearer = await app.bearer('owner@x.test')
  expect((await correct(owner ?? '', { mobile: null })).json()).toMatchObject({ mobile: null })
  expect((await mobileOf(owner ?? '')).mobile).toBeNull()
  const me = await app.server.inject({ url: '/api/v1/me', headers: { authorization: bearer } })
  expect(me.json()).toBeNull()
  const [[again, newOwner, last] = []] = await collisions()
  expect([again, newOwner]).toEqual([mobile, second])
  expect((await mobileOf(second)).mobile).toBe('+59899123404')
  expect((await correct(last ?? '', { mobile: '099 555 666' })).json()).toMatchObject({
    mobile: '+59899555666',
  })
  expect(await collisions()).toEqual([])
  const { rows } = await app.database.pool.query(
    `select subject from audit_log where action = 'users.correct_contact' order by at`,
  )
  expect(rows.map(({ subject }) => subject)).toEqual([owner, last])
})

test('corrected email: new address -> unverified, links deleted, both notified; taken address -> refused', async () => {
  const uid = await stored('old@x.test', '+59899123450')
  await stored('taken@x.test', null)
  expect(outcome(await correct(uid, { email: 'TAKEN@x.test' }))).toEqual([409, 'user_exists'])
  expect(outcome(await correct(uid, { mobile: '+59899123401' }))).toEqual([409, 'user_exists'])
  expect(outcome(await correct(uid, { email: 'none' }))).toEqual([400, 'proper_email'])
  expect(outcome(await correct(uid, { mobile: '12' }))).toEqual([400, 'mobile_no_blank_error'])
  await app.start()
  expect((await correct(uid, { email: 'New@x.test', mobile: '+59899123451' })).statusCode).toBe(200)
  const { rows } = await app.database.pool.query(
    `select u.email, mobile_verified_at, email_verified from users u join auth_users a using (id) where id = $1`,
    [uid],
  )
  expect(rows).toEqual([{ email: 'new@x.test', mobile_verified_at: null, email_verified: false }])
  for (const to of ['old@x.test', 'new@x.test', '+59899123450', '+59899123451']) {
    expect((await sentTo(app, to)).kind).toBe('contact_corrected')
  }
})
