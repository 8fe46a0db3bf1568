import type { AddressInfo } from 'node:net'
import type { BookingView } from '@hansom/contract/bookings'
import type { ServerFrame } from '@hansom/contract/live'
import { contactStatuses, endedStatuses } from '@hansom/domain/bookings/status'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createCarType } from './access-scene.fixture.ts'
import { drop, pickup, straightMaps } from './features/bookings/straight-city.fixture.ts'
import { contractRoutes } from './platform/http/implement.ts'
import { TestClient } from './platform/live/test-live.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { isThorough } from './test-rounds.ts'

const viewers = [
  'rider',
  'driver',
  'fleetadmin',
  'admin',
  'otherRider',
  'otherDriver',
  'otherFleetadmin',
] as const
type Viewer = (typeof viewers)[number]

/** Texts that must not leak. */
const secrets = {
  riderContact: '+59891000001',
  driverContact: '+59891000002',
  riderEmail: 'rider.secret@x.test',
  driverEmail: 'driver.secret@x.test',
  riderToken: 'push-token-of-the-rider',
  driverToken: 'push-token-of-the-driver',
} as const
type Secret = keyof typeof secrets | 'otp'

/** One disclosure: the channel, and the object and field that contained a secret. */
interface Found {
  actor: Viewer | 'visitor'
  channel: string
  secret: Secret
  field: string
  /** The status of the enclosing booking; null outside a booking. */
  status: string | null
}

let app: TestApp
const ids = {} as Record<Viewer, string>
const bearers = {} as Record<Viewer, string>
const clients = {} as Record<Viewer | 'visitor', TestClient>
let otp = ''

beforeAll(async () => {
  const plenty = 1e6
  app = await createTestApp({
    maps: straightMaps(),
    limits: { all: plenty, signIn: plenty, places: plenty, offers: plenty },
  })
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { otp_secure: true }))
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const carType = await createCarType(app.database)
  const add = async (actor: Viewer, person: Parameters<TestApp['addUser']>[0]) => {
    ids[actor] = await app.addUser(person)
    bearers[actor] = await app.bearer(person.email)
  }
  await add('fleetadmin', { usertype: 'fleetadmin', email: 'fleet@x.test' })
  await add('otherFleetadmin', { usertype: 'fleetadmin', email: 'fleet2@x.test' })
  await add('admin', { usertype: 'admin', email: 'admin@x.test' })
  await add('rider', {
    usertype: 'rider',
    email: secrets.riderEmail,
    mobile: secrets.riderContact,
  })
  await add('driver', {
    usertype: 'driver',
    email: secrets.driverEmail,
    mobile: secrets.driverContact,
    fleetadmin: ids.fleetadmin,
    car_type_id: carType,
    driverActiveStatus: true,
  })
  await add('otherRider', { usertype: 'rider', email: 'rider2@x.test' })
  await add('otherDriver', { usertype: 'driver', email: 'driver2@x.test', car_type_id: carType })
  carTypeId = carType
  for (const [actor, token] of [
    ['rider', secrets.riderToken],
    ['driver', secrets.driverToken],
  ] as const) {
    const registered = await call(actor, 'POST', '/api/v1/push/devices', {
      kind: 'fcm',
      token,
      platform: 'IOS',
    })
    expect(registered).toMatchObject({ kind: 'fcm' })
  }
})
afterAll(() => app.close())
let carTypeId = ''

async function call(actor: Viewer | 'visitor', method: string, url: string, payload?: object) {
  const answer = await app.server.inject({
    method: method as 'GET',
    url,
    headers: actor === 'visitor' ? {} : { authorization: bearers[actor] },
    ...(payload ? { payload } : {}),
  })
  record(actor, `${method} ${url.split('?')[0]}`, parsed(answer.body))
  return answer.json<BookingView & { error?: string }>()
}
const parsed = (body: string): unknown => (body === '' ? null : JSON.parse(body))

const found: Found[] = []
/** Responses and frames recorded before the trip code was known. */
const recorded: { actor: Viewer | 'visitor'; channel: string; content: unknown }[] = []
function record(actor: Viewer | 'visitor', channel: string, content: unknown): void {
  recorded.push({ actor, channel, content })
}

/** Searches all recorded data for secrets. */
function search(): void {
  const wanted = Object.entries({ ...secrets, otp }) as [Secret, string][]
  const look = (at: Omit<Found, 'secret' | 'field'>, value: unknown, field: string) => {
    if (typeof value === 'string') {
      for (const [secret, text] of wanted) if (value.includes(text)) found.push({ ...at, secret, field })
    } else if (typeof value === 'object' && value !== null) {
      const { status } = value as { status?: unknown }
      const inner = { ...at, status: typeof status === 'string' ? status : at.status }
      for (const [name, item] of Object.entries(value)) look(inner, item, name)
    }
  }
  for (const { actor, channel, content } of recorded) look({ actor, channel, status: null }, content, '')
}

const everyViewer = [...viewers, 'visitor'] as const

/** Sends every GET request as each of these viewers. */
async function readAllRoutes(
  booking: string,
  by: readonly (Viewer | 'visitor')[] = everyViewer,
): Promise<void> {
  const gets = contractRoutes().filter(({ method }) => method === 'GET')
  for (const actor of by) {
    for (const { path } of gets) {
      const known = '?q=a&lat=-34.9&lng=-56.17&limit=20'
      const named = path.includes('{id}')
        ? path.includes('/users/')
          ? Object.values(ids)
          : [booking]
        : ['en']
      if (!path.includes('{')) await call(actor, 'GET', path + known)
      else for (const name of named) await call(actor, 'GET', path.replace(/\{\w+\}/, name))
    }
    await call(actor, 'GET', '/api/v1/me/data')
    await call(actor, 'GET', '/api/v1/users?q=secret')
  }
}

async function listen(actor: Viewer | 'visitor', booking: string): Promise<void> {
  const { port } = app.server.server.address() as AddressInfo
  const headers = actor === 'visitor' ? {} : { authorization: bearers[actor] }
  clients[actor] ??= new TestClient(
    new WebSocket(`ws://127.0.0.1:${port}/live`, { origin: `http://127.0.0.1:${port}`, headers }),
  )
  await clients[actor].frame('hello')
  for (const topic of [
    'settings',
    'user',
    'bookings',
    'requests',
    `booking:${booking}`,
    `tracking:${booking}`,
  ]) {
    clients[actor].send({ t: 'sub', topic })
  }
}

/** Waits until the actor has received the booking's status. */
async function untilReceived(actor: Viewer, booking: string, status: string): Promise<void> {
  const matches = (frame: ServerFrame) => {
    const data = 'data' in frame ? (frame.data as Partial<BookingView> | null) : null
    return 'topic' in frame && frame.topic === `booking:${booking}` && data?.status === status
  }
  await expect.poll(() => clients[actor].frames.some(matches), { timeout: 10_000 }).toBe(true)
}

test('secrets: through a complete trip -> no actor gets a secret that is not theirs', {
  timeout: 120_000,
}, async () => {
  const at = () => ({ lat: pickup.lat + 0.001, lng: pickup.lng, at: Date.now() })
  await call('driver', 'POST', '/api/v1/driver/positions', { positions: [at()] })
  const order = { pickup, drop, car_type_id: carTypeId, bookLater: false }
  const { id } = await call('rider', 'POST', '/api/v1/bookings', order)
  for (const actor of [...viewers, 'visitor'] as const) await listen(actor, id)
  await expect
    .poll(async () => (await call('driver', 'GET', `/api/v1/bookings/${id}`)).viewer, { timeout: 10_000 })
    .toBe('requested')
  otp = (await call('rider', 'GET', `/api/v1/bookings/${id}`)).otp as string
  expect(otp).toMatch(/^\d{5}$/)
  await readAllRoutes(id)

  const steps = [
    ['driver', 'accept', {}, 'ACCEPTED'],
    ['driver', 'arrive', {}, 'ARRIVED'],
    ['driver', 'start', { otp }, 'STARTED'],
    ['driver', 'reach', {}, 'REACHED'],
    ['driver', 'close', {}, 'PAID'],
    ['rider', 'rate', { rating: 5, feedback: 'good' }, 'COMPLETE'],
  ] as const
  for (const [actor, command, body, status] of steps) {
    const after = await call(actor, 'POST', `/api/v1/bookings/${id}/${command}`, body)
    expect(after.status, JSON.stringify(after)).toBe(status)
    // Viewers who may follow the booking from now on subscribe.
    for (const listener of [...viewers, 'visitor'] as const) await listen(listener, id)
    await call('driver', 'POST', '/api/v1/driver/positions', { positions: [at()] })
    for (const party of ['rider', 'driver', 'fleetadmin', 'admin'] as const)
      await untilReceived(party, id, status)
    // At these, no actor comes to see a contact or a code.
    if (isThorough || (command !== 'arrive' && command !== 'reach')) await readAllRoutes(id)
  }
  for (const [actor, client] of Object.entries(clients)) {
    for (const frame of client.frames) {
      const topic = 'topic' in frame ? frame.topic?.split(':')[0] : undefined
      record(actor as Viewer, `live ${topic ?? frame.t}`, frame)
    }
  }
  search()

  const leaks = found.filter((one) => !isTheirs(one))
  expect([...new Set(leaks.map((one) => JSON.stringify(one)))]).toEqual([])

  // The search finds the permitted disclosures.
  const wasFound = (actor: Viewer, secret: Secret, channel: RegExp) =>
    found.some((one) => one.actor === actor && one.secret === secret && channel.test(one.channel))
  expect(wasFound('rider', 'driverContact', /^live booking$/)).toBe(true)
  expect(wasFound('rider', 'driverContact', /^GET/)).toBe(true)
  expect(wasFound('driver', 'riderContact', /^live booking$/)).toBe(true)
  expect(wasFound('rider', 'otp', /^live booking$/)).toBe(true)
  expect(wasFound('fleetadmin', 'driverContact', /users/)).toBe(true)
  expect(wasFound('admin', 'riderEmail', /users/)).toBe(true)
  expect(wasFound('admin', 'riderEmail', /receipt/)).toBe(true)

  // A demo with critical edits disabled hides all contacts from admins.
  await app.database.withTransaction((tx) =>
    app.services.settings.update(tx, { AllowCriticalEditsAdmin: false }),
  )
  recorded.length = 0
  found.length = 0
  await readAllRoutes(id, ['admin', 'fleetadmin'])
  await call('admin', 'POST', `/api/v1/bookings/${id}/receipt/mail`, {})
  search()
  expect(found).toEqual([])
  expect(
    recorded.filter(({ content }) => JSON.stringify(content).includes('Hidden for Demo')).length,
  ).toBeGreaterThan(4)
})

const active: readonly string[] = contactStatuses
const ended: readonly string[] = endedStatuses

/** True when the actor may see the secret in this place. */
function isTheirs({ actor, secret, channel, field, status }: Found): boolean {
  const isInUserAdmin = channel.startsWith('GET /api/v1/users')
  // The recipient of a receipt.
  const isReceiptEmail = channel.endsWith('/receipt') && field === 'email'
  switch (secret) {
    case 'riderToken':
    case 'driverToken':
      return false
    case 'otp':
      return actor === 'rider' && field === 'otp' && ['NEW', 'ACCEPTED', 'ARRIVED'].includes(status ?? '')
    case 'riderEmail':
      return (
        actor === 'rider' ||
        (actor === 'admin' && (isInUserAdmin || isReceiptEmail || field === 'customer_email'))
      )
    case 'driverEmail':
      return actor === 'driver' || (isInUserAdmin && (actor === 'admin' || actor === 'fleetadmin'))
    case 'riderContact':
      if (actor === 'driver') return field === 'customer_contact' && active.includes(status ?? '')
      if (actor === 'admin' && field === 'customer_contact') return !ended.includes(status ?? '')
      return actor === 'rider' || (actor === 'admin' && isInUserAdmin)
    case 'driverContact':
      if (actor === 'rider' || (actor === 'admin' && field === 'driver_contact')) {
        return field === 'driver_contact' && active.includes(status ?? '')
      }
      return actor === 'driver' || (isInUserAdmin && (actor === 'admin' || actor === 'fleetadmin'))
  }
}
