import type { DeviceView, NewDevice } from '@hansom/contract/devices'
import { maxDevices } from '@hansom/domain/devices/device'
import { startWebPushService, type WebPushService } from '@hansom/doubles/push/web-push-service'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, loadTestConfig, type TestApp, vapid } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
let service: WebPushService

beforeAll(async () => {
  service = await startWebPushService()
  app = await createTestApp({
    maps: straightMaps(),
    config: { ...loadTestConfig(), pushHosts: [service.host] },
  })
  await app.addUser({ email: 'ada@devices.test', usertype: 'admin' })
  await app.start()
})
afterAll(async () => {
  await app.close()
  await service.close()
})

async function person(usertype: 'rider' | 'driver' | 'fleetadmin' | 'admin' = 'rider') {
  const email = `${uuidv7()}@devices.test`
  const id = await app.addUser({ email, usertype })
  return { id, email, bearer: await app.bearer(email) }
}

async function call(
  authorization: string | null,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
) {
  const headers = authorization === null ? {} : { authorization }
  const url = path.startsWith('/api') ? path : `/api/v1/push${path}`
  const answer = await app.server.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}

const webDevice = (changes: Partial<Extract<NewDevice, { kind: 'web' }>> = {}): NewDevice => ({
  kind: 'web',
  ...service.subscribe(vapid.publicKey).subscription,
  platform: 'ANDROID',
  ...changes,
})
const appDevice = (token: string = uuidv7()): NewDevice => ({ kind: 'fcm', token, platform: 'IOS' })
const register = (bearer: string, device: NewDevice) => call(bearer, 'POST', '/devices', device)
const devicesOf = async (bearer: string): Promise<DeviceView[]> =>
  (await call(bearer, 'GET', '/devices')).body
const tokensOf = async (user: string) =>
  (
    await app.database.pool.query<{ token: string }>('select token from push_devices where user_id = $1', [
      user,
    ])
  ).rows.map(({ token }) => token)

describe('register', () => {
  test('key -> the public one, without a session', async () => {
    expect(await call(null, 'GET', '/key')).toEqual({ status: 200, body: { key: vapid.publicKey } })
    expect((await call(null, 'GET', '/devices')).status).toBe(401)
  })

  test('subscription or token -> listed, newest first, without the token; repeated -> renewed', async () => {
    const { bearer, email } = await person()
    const device = webDevice({ locale: 'ar' })
    const first = await register(bearer, device)
    await register(await app.bearer(email), appDevice())
    const again = await register(bearer, device)
    expect([first.status, again.body.id]).toEqual([200, first.body.id])
    expect(again.body.seenAt).toBeGreaterThanOrEqual(first.body.seenAt)
    const listed = await devicesOf(bearer)
    expect(listed.map(({ kind, platform, current }) => [kind, platform, current])).toEqual([
      ['web', 'ANDROID', true],
      ['fcm', 'IOS', false],
    ])
    expect(JSON.stringify(listed)).not.toContain(service.host)
  })

  test('device of another user -> becomes the caller’s, without messages that wait for it', async () => {
    const [first, second] = [await person(), await person()]
    const device = appDevice()
    await register(first.bearer, device)
    await app.database.pool.query(
      `insert into push_deliveries (id, device_id, tag, urgent, expires_at, not_before)
        select gen_random_uuid(), id, 'x', false, 9e15::bigint, 9e15::bigint from push_devices where user_id = $1`,
      [first.id],
    )
    await register(second.bearer, device)
    expect([await tokensOf(first.id), await tokensOf(second.id)]).toEqual([
      [],
      ['token' in device && device.token],
    ])
    const left = await app.database.pool.query(
      'select from push_deliveries p join push_devices d on d.id = p.device_id where d.user_id = $1',
      [second.id],
    )
    expect(left.rowCount).toBe(0)
  })

  test('registered by several users at once -> one device, of one of them', async () => {
    const people = await Promise.all([person(), person(), person(), person()])
    const device = appDevice()
    const answers = await Promise.all(
      people.flatMap(({ bearer }) => [register(bearer, device), register(bearer, device)]),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await Promise.all(people.map(({ id }) => tokensOf(id)))).flat()).toHaveLength(1)
  })

  test('more than the limit, concurrently -> the oldest go', async () => {
    const { id, bearer } = await person()
    const oldest = appDevice()
    await register(bearer, oldest)
    await app.database.pool.query('update push_devices set seen_at = 1 where user_id = $1', [id])
    await Promise.all(Array.from({ length: maxDevices }, () => register(bearer, appDevice())))
    const tokens = await tokensOf(id)
    expect(tokens).toHaveLength(maxDevices)
    expect(tokens).not.toContain('token' in oldest && oldest.token)
  })

  test.each([
    ['another host', { endpoint: 'https://push.example/abc' }, 'endpoint'],
    ['loopback that is not configured', { endpoint: 'http://127.0.0.1:1/abc' }, 'endpoint'],
    ['a short key', { keys: { p256dh: 'BAAA', auth: 'a'.repeat(22) } }, 'keys.p256dh'],
    [
      'a point that is not on the curve',
      { keys: { p256dh: `BA${'A'.repeat(85)}`, auth: 'a'.repeat(22) } },
      'keys.p256dh',
    ],
  ])('%s -> invalid_input', async (_name, changes, field) => {
    const { bearer, id } = await person()
    const { status, body } = await register(bearer, webDevice(changes))
    expect([status, body.error, body.fields[0].field]).toEqual([400, 'invalid_input', field])
    expect(await tokensOf(id)).toEqual([])
  })
})

describe('remove', () => {
  test('own device by id or token -> gone; another user’s -> not found, or left alone', async () => {
    const [owner, other] = [await person(), await person()]
    const [first, second] = [appDevice('own-1'), appDevice('own-2')]
    const { body } = await register(owner.bearer, first)
    await register(owner.bearer, second)
    expect((await call(other.bearer, 'DELETE', `/devices/${body.id}`)).body.error).toBe('not_found')
    expect((await call(other.bearer, 'DELETE', '/devices', { token: 'own-2' })).status).toBe(200)
    expect(await tokensOf(owner.id)).toHaveLength(2)
    expect((await call(owner.bearer, 'DELETE', `/devices/${body.id}`)).status).toBe(200)
    expect((await call(owner.bearer, 'DELETE', '/devices', { token: 'own-2' })).status).toBe(200)
    expect(await tokensOf(owner.id)).toEqual([])
  })

  test('signed out -> the devices of this session go; everywhere else -> all others', async () => {
    const { id, email, bearer } = await person()
    const [second, third] = [await app.bearer(email), await app.bearer(email)]
    await register(bearer, appDevice('s-1'))
    await register(second, appDevice('s-2'))
    await register(third, appDevice('s-3'))
    await app.services.accounts.sessions.end(second.replace('Bearer ', ''))
    expect((await tokensOf(id)).sort()).toEqual(['s-1', 's-3'])
    const keep = await app.services.accounts.sessions.find(bearer.replace('Bearer ', ''))
    await app.database.withTransaction((tx) =>
      app.services.accounts.sessions.endAll(tx, id, keep?.actor.sessionId),
    )
    expect(await tokensOf(id)).toEqual(['s-1'])
  })

  test('approval withdrawn -> all devices go', async () => {
    const { id, bearer } = await person('driver')
    await register(bearer, appDevice())
    const admin = await app.bearer('ada@devices.test')
    const { version } = (await call(admin, 'GET', `/api/v1/users/${id}`)).body
    const answer = await call(admin, 'POST', `/api/v1/users/${id}/disapprove`, { reason: 'test', version })
    expect(answer.status).toBe(200)
    expect(await tokensOf(id)).toEqual([])
  })

  test('app token -> one for each session', async () => {
    const { id, bearer } = await person()
    const set = (token: string) =>
      call(bearer, 'PUT', '/api/v1/me/push-token', { token, platform: 'ANDROID' })
    await set('old')
    await set('ExponentPushToken[new]')
    expect(await tokensOf(id)).toEqual(['ExponentPushToken[new]'])
    expect((await devicesOf(bearer))[0]).toMatchObject({ kind: 'expo', platform: 'ANDROID', current: true })
    await call(bearer, 'DELETE', '/api/v1/me/push-token')
    expect(await tokensOf(id)).toEqual([])
  })
})

describe('preferences', () => {
  test('kinds of the role -> muted ones as saved; a fixed or foreign one -> refused', async () => {
    const { bearer } = await person('driver')
    const muted = (kinds: string[]) => call(bearer, 'PUT', '/preferences', { muted: kinds })
    expect((await call(bearer, 'GET', '/preferences')).body.kinds[0]).toEqual({
      kind: 'requests',
      muted: false,
      fixed: true,
    })
    const saved = await muted(['news', 'chat', 'news'])
    const isMuted = ({ muted }: { muted: boolean }) => muted
    expect(saved.body.kinds.filter(isMuted).map(({ kind }: { kind: string }) => kind)).toEqual([
      'chat',
      'news',
    ])
    expect((await call(bearer, 'GET', '/preferences')).body).toEqual(saved.body)
    for (const kind of ['requests', 'account', 'alerts']) {
      expect((await muted([kind])).body.fields).toEqual([{ field: 'muted', error: 'not_in_list' }])
    }
  })

  test('export of the own data -> devices without tokens, and muted kinds', async () => {
    const { bearer } = await person()
    await register(bearer, appDevice('exported-token'))
    await call(bearer, 'PUT', '/preferences', { muted: ['news'] })
    const { body } = await call(bearer, 'GET', '/api/v1/me/data')
    expect(body.devices).toEqual([
      {
        kind: 'fcm',
        platform: 'IOS',
        locale: null,
        createdAt: expect.any(Number),
        seenAt: expect.any(Number),
      },
    ])
    expect(body.mutedNotifications).toEqual(['news'])
    expect(JSON.stringify(body)).not.toContain('exported-token')
  })

  test('newest device -> its platform is shown to admins', async () => {
    const { id, bearer } = await person()
    await register(bearer, appDevice())
    const admin = await app.bearer('ada@devices.test')
    const shown = async () => (await call(admin, 'GET', `/api/v1/users/${id}`)).body.userPlatform
    expect(await shown()).toBe('IOS')
    await register(bearer, webDevice())
    expect(await shown()).toBe('ANDROID')
  })
})
