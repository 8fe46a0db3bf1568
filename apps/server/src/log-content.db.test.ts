import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailOverTransport } from './adapters/mail/smtp.ts'
import { startSmtpServer } from './adapters/mail/test-smtp-server.ts'
import { openPush } from './adapters/push/open-push.ts'
import { vonageSms } from './adapters/sms/vonage.ts'
import { withWork } from './features/accounts/accounts.fixture.ts'
import { centre, straightMaps } from './features/bookings/straight-city.fixture.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { createLog } from './platform/log/log.ts'
import { withOrigin } from './platform/log/origin.ts'
import { createOutbox } from './platform/outbox/outbox.ts'
import { vapid } from './test-app.ts'
import { createTraffic, type Traffic } from './traffic.fixture.ts'

type Line = { level: number; msg: string; requestId?: string; [field: string]: unknown }

function capture() {
  const written: string[] = []
  const log = createLog({
    level: 'trace',
    readable: false,
    destination: { write: (line) => void written.push(line) },
  })
  return { log, written, lines: () => written.map((line) => JSON.parse(line) as Line) }
}

const { log, written, lines } = capture()
/** The services quote what they refuse. */
let services: Server
let mailServer: Awaited<ReturnType<typeof startSmtpServer>>
let town: Traffic
let database: TestDatabase
beforeAll(async () => {
  services = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ refused: Buffer.concat(chunks).toString(), url: request.url }))
    })
  })
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve))
  mailServer = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`${address} is over its quota`), { responseCode: 452 })),
  })
  const url = `http://127.0.0.1:${(services.address() as AddressInfo).port}`
  database = await createTestDatabase()
  town = await createTraffic({
    log,
    mail: mailOverTransport(
      { pool: true, host: '127.0.0.1', port: mailServer.port, ignoreTLS: true },
      'Rides <rides@log.test>',
    ),
    sms: vonageSms({ url, key: 'sms-key-7f3a', secret: 'sms-secret-7f3a', from: 'Rides', now: Date.now }),
    push: openPush({
      web: { keys: vapid, subject: 'https://rides.test', hosts: [] },
      fcm: null,
      expo: { accessToken: 'expo-access-7f3a', url },
      store: async () => {},
    }),
    maps: {
      ...straightMaps(),
      address: async ({ lat, lng }) => {
        throw new Error(`no address at ${lat.toFixed(1)}`, { cause: { lat, lng } })
      },
    },
  })
})
afterAll(async () => {
  await town.app.close()
  await database.close()
  await mailServer.close()
  services.close()
})

const person = {
  firstName: 'Zebedee',
  lastName: 'Quillfeather',
  email: 'zebedee@log.test',
  password: 'wintergreen42',
  phoneCode: '598',
  mobile: '99123987',
}
const street = 'Rua do Segredo 77'
const words = 'meet me behind the lighthouse'
const token = 'ExponentPushToken[log-test-7f3a]'
/** A position that no other part of the test uses. */
const seen = { lat: centre.lat + 0.0012345, lng: centre.lng + 0.0054321 }

test('log: sign-up, trip, chat, mail, text, push and errors -> no personal data, at any level', async () => {
  const { call, app } = town
  const inject = (options: InjectOptions) => app.server.inject(options)
  const signedUp = await call('', 'POST', '/api/v1/sign-up', person)
  expect(signedUp.status, JSON.stringify(signedUp.body)).toBe(201)
  expect((await call('', 'POST', '/api/v1/sign-up', person)).status).toBeGreaterThanOrEqual(400)
  const rider = await app.bearer(person.email)
  const secrets = [rider.slice('Bearer '.length)]
  const driver = await town.addDriver(
    'wheel@log.test',
    { firstName: 'Barnabas', lastName: 'Underhill' },
    seen,
  )

  const devices = { kind: 'expo', token, platform: 'IOS' }
  for (const bearer of [rider, driver.bearer])
    expect(
      (await call(bearer, 'POST', '/api/v1/push/devices', { ...devices, token: `${token}${bearer.length}` }))
        .status,
    ).toBe(200)
  const place = (point: object) => ({ pickup: { ...seen, add: street, ...point } })
  const booking = await town.book(rider, place({}))
  for (const path of ['accept', 'arrive'])
    expect((await call(driver.bearer, 'POST', `/api/v1/bookings/${booking}/${path}`, {})).status).toBe(200)
  const message = { smsId: `sms-${booking}`, message: words }
  expect((await call(rider, 'POST', `/api/v1/bookings/${booking}/chat`, message)).status).toBe(200)

  // Wrong passwords, codes, links and tokens.
  await call('', 'POST', '/api/auth/sign-in/email', {
    email: person.email,
    password: `${person.password}-not`,
  })
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { MobileLoginEnabled: true }))
  const { phoneCode, mobile } = person
  await withWork((work) =>
    inject({ method: 'POST', url: '/api/v1/sign-in/phone/code', payload: { phoneCode, mobile, ...work } }),
  )
  await call(`Bearer forged-7f3a`, 'GET', '/api/v1/bookings')
  await inject({ url: `/api/v1/track/link-token-7f3a?near=${seen.lat}` })
  await inject({ url: '/api/v1/unsubscribe/unsubscribe-7f3a' })
  // Broken bodies, and what no route expects.
  await inject({
    method: 'POST',
    url: '/api/v1/sign-up',
    headers: { 'content-type': 'application/json' },
    payload: `{"email": "${person.email}", broken`,
  })
  await call(rider, 'POST', '/api/v1/me/addresses', { description: street, ...seen, more: words })
  await inject({ url: `/api/v1/address?lat=${seen.lat}&lng=${seen.lng}` })
  const failing = app.database.pool.query(`select '${person.email}'::int`).catch((error: unknown) => error)
  log.error({ err: await failing }, 'a statement failed')
  await call('', 'POST', '/api/v1/page-errors', {
    id: 'a'.repeat(32),
    message: `no user ${person.email} (+598 ${person.mobile}) at ${seen.lat},${seen.lng}`,
    stack: `Error: ${person.email}`,
    path: '/trip/link-token-7f3a',
  })
  await town.delivered()
  await app.services.devices.sender.idle()

  // What could quote a person has happened: otherwise the log proves nothing.
  const said = () => new Set(lines().map(({ msg }) => msg))
  const expected = [
    'job failed',
    'phone code could not be sent',
    'push message failed',
    'page failed',
    'map service failed',
    'a statement failed',
  ]
  await expect.poll(() => expected.filter((msg) => !said().has(msg)), { timeout: 15_000 }).toEqual([])
  const text = written.join('')
  const personal = [
    person.firstName,
    person.lastName,
    person.email,
    person.password,
    person.mobile,
    'Barnabas',
    'Underhill',
    'wheel@log.test',
    driver.mobile.slice(4),
    street,
    words,
    'Plaza Independencia',
    'Parque Batlle',
    String(seen.lat).slice(0, 9),
    String(seen.lng).slice(0, 9),
    ...secrets,
    '7f3a',
    driver.bearer.slice(7),
    vapid.privateKey,
  ]
  for (const one of personal) {
    const at = text.toLowerCase().indexOf(one.toLowerCase())
    expect(at === -1 ? null : text.slice(Math.max(0, at - 200), at + 60), one).toBeNull()
  }
})

test('request id: well formed -> kept, otherwise made; in the response, and in every line of the request', async () => {
  const ask = async (id: string | undefined) => {
    const headers = id === undefined ? {} : { 'x-request-id': id }
    const reply = await town.app.server.inject({
      method: 'POST',
      url: '/api/v1/sign-up',
      headers,
      payload: {},
    })
    expect(reply.json().requestId).toBe(reply.headers['x-request-id'])
    return String(reply.headers['x-request-id'])
  }
  expect(await ask('proxy-0123456789abcdef')).toBe('proxy-0123456789abcdef')
  for (const id of [
    undefined,
    '',
    'short',
    'has spaces in it, many',
    `${'a'.repeat(65)}`,
    'line\tbreak-0123456789',
  ])
    expect(await ask(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

test('request id: booking, its events and jobs -> the same; a failing job names it', async () => {
  const { app } = town
  const bearer = (await town.add('rider', 'origin@log.test')).bearer
  const id = 'trace-me-0123456789abcdef'
  const own = await app.server.inject({
    method: 'POST',
    url: '/api/v1/password/forgot',
    payload: { email: 'origin@log.test' },
    headers: { 'x-request-id': `reset-${id}` },
  })
  expect(own.statusCode, own.body).toBeLessThan(300)
  await expect
    .poll(
      () =>
        lines().filter(({ requestId, msg }) => requestId === `reset-${id}` && msg === 'job failed').length,
      {
        timeout: 15_000,
      },
    )
    .toBeGreaterThanOrEqual(1)

  await town.addDriver('origin-wheel@log.test')
  const booking = await town.book(bearer, { requestId: id })
  const jobs = async () => {
    const { rows } = await app.database.pool.query<{ name: string; by: string }>(
      `select name, data->'origin'->>'requestId' as by from pgboss.job where data->>'booking' = $1`,
      [booking],
    )
    return rows
  }
  await expect.poll(async () => (await jobs()).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1)
  for (const { by } of await jobs()) expect(by).toBe(id)
})

test('request id: event delivered by another process, in a batch of several requests -> each failure names its own', async () => {
  const writer = createOutbox({ database, log, pollMs: 60_000 })
  for (const requestId of ['batch-one-0123456789', 'batch-two-0123456789'])
    await withOrigin({ requestId }, () =>
      database.withTransaction((tx) => writer.write(tx, [{ kind: 'odd', payload: { requestId } }])),
    )
  const other = capture()
  const reader = createOutbox({ database, log: other.log, pollMs: 20, retryMs: 60_000 })
  reader.onBatch('odd', (events) => {
    if (events.length > 1) other.log.info('a batch')
    else throw new Error(String(events[0]?.payload.requestId))
    throw new Error('each for itself')
  })
  // The work that wakes it is not the origin.
  withOrigin({ requestId: 'waker-0123456789' }, () => reader.start())
  const failed = () => other.lines().filter(({ msg }) => msg === 'event failed, will retry')
  await expect.poll(() => failed().length, { timeout: 15_000 }).toBe(2)
  await reader.stop()
  for (const line of failed()) expect((line.err as { message: string }).message).toBe(line.requestId)
  for (const shared of ['a batch', 'an event of a batch failed, delivering one by one'])
    expect(other.lines().find(({ msg }) => msg === shared)).not.toHaveProperty('requestId')
})
