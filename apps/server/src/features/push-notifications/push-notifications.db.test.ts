import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Push, PushError } from '../../adapters/push/port.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { sendBatch } from './send.ts'

let app: TestApp
let admin: string
/** What the push service accepted. */
const handedOver: { token: string; title: string; body: string; screen: string }[] = []
const gone = 'a token that is not registered'
const push: Push = {
  publicKey: '',
  isStored: () => false,
  unregistered: async () => [],
  send: async ({ target: { token }, content }) => {
    if (token === gone) throw new PushError('not registered', 'unregistered')
    if ('notification' in content) {
      const { title, body, data } = content.notification
      handedOver.push({ token, title, body, screen: data.screen })
    }
    return { receipt: null }
  },
}

beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), push })
  await app.addUser({ email: 'ada@push.test', usertype: 'admin' })
  admin = await app.bearer('ada@push.test')
  await app.start()
})
afterAll(() => app.close())

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
  url: string,
  payload?: object,
  more = {},
) {
  const headers = { authorization: admin, ...more }
  const answer = await app.server.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}
const route = (path = '') => `/api/v1/notifications${path}`
const rain = { devicetype: 'All', usertype: 'rider', title: 'Rain', body: 'Cars are few.' }

async function add(changes: object = {}): Promise<PushNotificationView> {
  const { status, body } = await call('POST', route(), { ...rain, ...changes })
  expect([status, body.fields]).toEqual([201, undefined])
  return body
}

/** Removes all devices, so that the next ones are the only ones. */
const withoutDevices = () => app.database.pool.query('delete from push_devices')

/** What was accepted since the last call, after everything queued was sent. */
async function accepted() {
  await app.services.devices.sender.idle()
  return handedOver.splice(0)
}

/** Creates a user with a device; returns the id. */
async function withDevice(
  usertype: 'rider' | 'driver',
  platform: 'ANDROID' | 'IOS',
  token: string = uuidv7(),
) {
  const email = `${uuidv7()}@push.test`
  const id = await app.addUser({ email, usertype })
  const authorization = await app.bearer(email)
  const answer = await call('PUT', '/api/v1/me/push-token', { token, platform }, { authorization })
  expect(answer.status).toBe(200)
  return { id, token, authorization }
}

const find = async (id: string) =>
  ((await call('GET', route('?sort=-createdAt'))).body.items as PushNotificationView[]).find(
    (one) => one.id === id,
  )
const finished = (id: string) =>
  expect
    .poll(async () => (await find(id))?.lastSend?.finished_at, { timeout: 10_000 })
    .toEqual(expect.any(Number))
const toldOf = async (user: string) =>
  (await app.database.pool.query('select title, params from user_notifications where user_id = $1', [user]))
    .rows

test('send: matching users with a device -> reached once each', async () => {
  const [onAndroid, onIos, driver] = [
    await withDevice('rider', 'ANDROID'),
    await withDevice('rider', 'IOS'),
    await withDevice('driver', 'IOS'),
  ]
  const waiting = await withDevice('rider', 'IOS')
  await app.database.pool.query('update users set approved = false where id = $1', [waiting.id])
  const { id } = await add({ devicetype: 'IOS' })
  const sent = await call('POST', route(`/${id}/send`))
  // The job may have sent some before the response was read.
  expect(sent.body.lastSend).toMatchObject({ total: 2, failed: 0 })
  await finished(id)
  expect((await find(id))?.lastSend).toMatchObject({ total: 2, done: 2, failed: 0 })
  const message = { title: 'Rain', body: 'Cars are few.', screen: 'BookedCab' }
  const byToken = (a: { token: string }, b: { token: string }) => (a.token < b.token ? -1 : 1)
  // Approval does not matter.
  expect((await accepted()).sort(byToken)).toEqual(
    [onIos, waiting].map(({ token }) => ({ token, ...message })).sort(byToken),
  )
  const params = { title: 'Rain', body: 'Cars are few.' }
  expect(await toldOf(onIos.id)).toEqual([{ title: 'notify.announcement.title', params }])
  for (const other of [onAndroid, driver]) expect(await toldOf(other.id)).toEqual([])
})

test('send: all devices -> also to the list of those without a device; reach -> the same numbers', async () => {
  await withoutDevices()
  const { id: onIos, token } = await withDevice('driver', 'IOS')
  const none = await app.addUser({ email: `${uuidv7()}@push.test`, usertype: 'driver' })
  const { rows } = await app.database.pool.query(
    `select count(*)::int as drivers from users where usertype = 'driver'`,
  )
  const people = rows[0].drivers
  const reach = await call('GET', route('/reach?usertype=driver&devicetype=All'))
  expect(reach.body).toEqual({ people, devices: 1 })
  const { id } = await add({ usertype: 'driver' })
  await call('POST', route(`/${id}/send`))
  await finished(id)
  expect((await find(id))?.lastSend).toMatchObject({ total: people, done: 1, failed: 0, listed: people - 1 })
  expect((await accepted()).map((one) => one.token)).toEqual([token])
  for (const user of [onIos, none]) expect(await toldOf(user)).toHaveLength(1)
})

test('send: no matching users -> no_user_match', async () => {
  await withoutDevices()
  const { id } = await add({ usertype: 'driver', devicetype: 'IOS' })
  const { status, body } = await call('POST', route(`/${id}/send`))
  expect([status, body.error]).toEqual([404, 'no_user_match'])
  expect((await find(id))?.lastSend).toBeNull()
})

test('send: several batches -> unregistered devices counted; the same batch twice -> counted once', async () => {
  await withoutDevices()
  await app.database.pool.query(
    `with people as (
      insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id)
      select gen_random_uuid(), 0, 'A', 'B', 'many' || n || '@push.test', 'rider', true, 'many' || n
        from generate_series(1, 450) n returning id)
    insert into push_devices (id, user_id, kind, token, platform, closable, created_at, seen_at)
      select gen_random_uuid(), id, 'fcm', 't' || id, 'IOS', true, 0, 0 from people`,
  )
  const lost = await withDevice('rider', 'IOS', gone)
  const { id } = await add({ devicetype: 'IOS' })
  await app.services.pushNotifications.send(await adminId(), id, null)
  const { rows } = await app.database.pool.query('select id from push_sends where notification_id = $1', [id])
  const deps = { database: app.database, users: app.services.users, clock: manualClock(1) }
  await Promise.all([1, 2, 3].map(() => sendBatch(deps, rows[0].id)))
  await finished(id)
  expect((await accepted()).map(({ token }) => token).sort()).toHaveLength(450)
  expect((await find(id))?.lastSend).toMatchObject({ total: 451, done: 450, failed: 1, listed: 0 })
  const told = await app.database.pool.query(
    'select count(*)::int from user_notifications where dedupe like $1',
    [`push:${rows[0].id}:%`],
  )
  expect(told.rows[0].count).toBe(451)
  const left = await app.database.pool.query('select from push_devices where user_id = $1', [lost.id])
  expect(left.rowCount).toBe(0)
})

test('send: job failed permanently -> continued later; job still retrying -> left alone', async () => {
  await withoutDevices()
  const { token } = await withDevice('rider', 'IOS')
  const { id } = await add({ devicetype: 'IOS' })
  const jobsOf = async () => {
    const { rows } = await app.database.pool.query(
      `select j.id, j.state from pgboss.job j join push_sends s on s.id::text = j.data->>'send'
        where s.notification_id = $1`,
      [id],
    )
    return rows as { id: string; state: string }[]
  }
  await app.database.pool.query('alter table push_deliveries rename to away')
  expect((await call('POST', route(`/${id}/send`))).status).toBe(200)
  await expect
    .poll(async () => (await jobsOf()).map(({ state }) => state), { timeout: 10_000 })
    .toEqual(['retry'])
  await app.services.pushNotifications.resumeSends()
  expect(await jobsOf()).toHaveLength(1)
  // The state after the last retry.
  await app.database.pool.query(`update pgboss.job set state = 'failed' where id = any($1)`, [
    (await jobsOf()).map((one) => one.id),
  ])
  await app.database.pool.query('alter table away rename to push_deliveries')
  await app.services.pushNotifications.resumeSends()
  await finished(id)
  expect((await find(id))?.lastSend).toMatchObject({ total: 1, done: 1 })
  expect((await accepted()).map((message) => message.token)).toEqual([token])
  expect((await call('DELETE', route(`/${id}`))).status).toBe(200)
})

test('send: pressed twice concurrently -> sent once; repeated with its key -> nothing sent', async () => {
  await withDevice('rider', 'IOS')
  const { id } = await add()
  const key = { 'idempotency-key': uuidv7() }
  const first = await call('POST', route(`/${id}/send`), undefined, key)
  expect(first.status).toBe(200)
  await finished(id)
  expect((await call('POST', route(`/${id}/send`), undefined, key)).body.lastSend.at).toBe(
    first.body.lastSend.at,
  )
  const other = await add()
  const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', route(`/${other.id}/send`))))
  const counted = await app.database.pool.query(
    'select count(*)::int from push_sends where notification_id = $1',
    [other.id],
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(counted.rows[0].count)
  for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe('conflict')
})

test('update: outdated version -> conflict; remove -> gone', async () => {
  const { id } = await add()
  const wrong = await call('PATCH', route(`/${id}`), { version: 1, title: ' ' })
  expect([wrong.status, wrong.body.fields]).toEqual([400, [{ field: 'title', error: 'required' }]])
  const answers = await Promise.all(
    ['Sun', 'Wind'].map((title) => call('PATCH', route(`/${id}`), { version: 1, title })),
  )
  const won = answers.find(({ status }) => status === 200)?.body
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: 'conflict',
    data: { current: won },
  })
  expect((await call('GET', route(`?q=${won.title}`))).body.items).toEqual([won])
  expect((await call('DELETE', route(`/${id}`))).status).toBe(200)
  expect((await call('DELETE', route(`/${id}`))).status).toBe(404)
  const { rows } = await app.database.pool.query(
    'select action from audit_log where subject = $1 order by id',
    [id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'pushNotifications.create',
    'pushNotifications.update',
    'pushNotifications.remove',
  ])
})

test('push token: set by another user -> belongs to the last one; removed -> to no one', async () => {
  const token = uuidv7()
  const first = await withDevice('rider', 'IOS', token)
  const second = await withDevice('rider', 'IOS', token)
  const tokens = async () =>
    (
      await app.database.pool.query('select user_id, token from push_devices where user_id = any($1)', [
        [first.id, second.id],
      ])
    ).rows
  expect(await tokens()).toEqual([{ user_id: second.id, token }])
  await call('DELETE', '/api/v1/me/push-token', undefined, { authorization: second.authorization })
  expect(await tokens()).toEqual([])
})

async function adminId(): Promise<string> {
  const { rows } = await app.database.pool.query(`select id from users where email = 'ada@push.test'`)
  return rows[0].id
}

test('send_notification: admin -> any device; others -> their own; unknown token -> no_user_match', async () => {
  const rider = await withDevice('rider', 'ANDROID')
  const driver = await withDevice('driver', 'IOS')
  await accepted()
  const send = (authorization: string | null, token: string) =>
    call(
      'POST',
      '/send_notification',
      { token, title: 'Hello', msg: 'Your car is near.', screen: 'BookedCab' },
      { authorization: authorization ?? '' },
    )
  expect(await send(null, rider.token)).toMatchObject({ status: 401, body: { error: 'not_logged_in' } })
  expect(await send(rider.authorization, rider.token)).toMatchObject({ status: 200, body: { success: true } })
  expect(await send(admin, driver.token)).toMatchObject({ status: 200 })
  for (const [by, token] of [
    [rider.authorization, driver.token],
    [admin, 'unknown key'],
    [rider.authorization, 'unknown key'],
  ] as const) {
    expect(await send(by, token)).toMatchObject({ status: 404, body: { error: 'no_user_match' } })
  }
  const message = { title: 'Hello', body: 'Your car is near.', screen: 'BookedCab' }
  expect(await accepted()).toEqual([
    { token: rider.token, ...message },
    { token: driver.token, ...message },
  ])
})
