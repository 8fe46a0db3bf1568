import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { silentLog } from '../log/log.ts'
import { mountHealth } from './availability.ts'
import { createServer, handleUnknownPaths } from './create-server.ts'
import { contractRoutes } from './implement.ts'
import { defaultLimits, limitOf } from './limits.ts'
import { WindowCounter } from './window-counts.ts'

let server: FastifyInstance
afterEach(() => server.close())

/** A server where `session <name>` is that user's session and any other one is forged. */
async function start(
  limits: { all: number; user: number; assets: number },
  pages = 1_000,
  add?: (server: FastifyInstance) => void,
) {
  server = await createServer({
    log: silentLog(),
    limits,
    userOf: async ({ authorization }) => /^session (\w+)$/.exec(authorization ?? '')?.[1] ?? null,
    publicUrl: undefined,
    trustedProxies: [],
  })
  server.get('/any', async () => ({ ok: true }))
  server.get('/assets/:name', async () => ({ ok: true }))
  server.get('/own', { config: { rateLimit: { max: 1, groupId: 'own' } } }, async () => ({ ok: true }))
  add?.(server)
  handleUnknownPaths(server, pages, async (_request, reply) => reply.send('a page'))
}
const ask = async (url: string, from: string, authorization?: string) =>
  (
    await server.inject({
      url,
      remoteAddress: from,
      headers: authorization === undefined ? {} : { authorization },
    })
  ).statusCode

test('limits: signed-in users behind one IP address -> counted separately', async () => {
  await start({ all: 1, user: 2, assets: 9 })
  for (const name of ['ann', 'bob', 'cid']) {
    expect(await ask('/any', '203.0.113.9', `session ${name}`)).toBe(200)
    expect(await ask('/any', '203.0.113.10', `session ${name}`)).toBe(200)
    expect(await ask('/any', '203.0.113.11', `session ${name}`)).toBe(429)
  }
  expect(await ask('/any', '203.0.113.9')).toBe(200)
})

test('limits: health check -> never limited, and the database is asked once for many', async () => {
  const query = vi.fn(async () => ({ rows: [] }))
  const database = { pool: { query } } as unknown as Database
  await start({ all: 1, user: 1, assets: 1 }, 1, (server) => mountHealth(server, database, () => true))
  const codes = await Promise.all(Array.from({ length: 50 }, () => ask('/healthz', '203.0.113.9')))
  expect(codes).toEqual(codes.map(() => 200))
  expect(query).toHaveBeenCalledTimes(1)
})

test.each([3_600_000, -3_600_000])(
  'limits: machine clock set by %d ms -> the window neither restarts nor grows',
  async (stepMs) => {
    await start({ all: 1, user: 1, assets: 9 })
    expect(await ask('/any', '203.0.113.9')).toBe(200)
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + stepMs)
    try {
      expect(await ask('/any', '203.0.113.9')).toBe(429)
      const answer = await server.inject({ url: '/any', remoteAddress: '203.0.113.9' })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(50)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
    } finally {
      clock.mockRestore()
    }
  },
)

test('limits: forged sessions -> counted with their IP address', async () => {
  await start({ all: 2, user: 100, assets: 9 })
  expect(await ask('/any', '203.0.113.9', 'forged 1')).toBe(200)
  expect(await ask('/any', '203.0.113.9', 'forged 2')).toBe(200)
  expect(await ask('/any', '203.0.113.9', 'forged 3')).toBe(429)
})

test('limits: visitors of one IPv6 network -> counted together', async () => {
  await start({ all: 1, user: 1, assets: 9 })
  expect(await ask('/any', '2001:db8:1:2::1')).toBe(200)
  expect(await ask('/any', '2001:db8:1:2:ffff::2')).toBe(429)
  expect(await ask('/any', '2001:db8:1:3::1')).toBe(200)
})

test('limits: pages, unknown paths and assets -> separate limits', async () => {
  await start({ all: 1, user: 1, assets: 3 }, 2)
  const from = '203.0.113.9'
  expect(await ask('/any', from)).toBe(200)
  expect(await ask('/own', from)).toBe(200)
  expect(await ask('/own', from)).toBe(429)
  expect(await ask('/a-page', from)).toBe(200)
  expect(await ask('/api/v1/unknown', from)).toBe(404)
  expect(await ask('/another-page', from)).toBe(429)
  for (const name of ['a', 'b', 'c']) expect(await ask(`/assets/${name}`, from)).toBe(200)
  expect(await ask('/assets/d', from)).toBe(429)
  const refused = await server.inject({ url: '/another-page', remoteAddress: from })
  expect(refused.json()).toMatchObject({
    error: 'too_many_requests',
    data: { retryAfterS: expect.any(Number) },
  })
})

test('limits: routes that send messages, book or write to the log -> separate limits', () => {
  const limited = contractRoutes().flatMap((route) => {
    const limit = limitOf(route, defaultLimits)
    return limit && Number(limit.max) < defaultLimits.user / 10 ? [route.name] : []
  })
  expect(limited.sort()).toEqual([
    'accounts.requestEmailChange',
    'accounts.requestMobileChange',
    'bookings.create',
    'devices.test',
    'functions.sendNotification',
    'integrations.test',
    'integrations.testMaps',
    'pages.reportError',
    'receipts.mail',
    'setup.create',
    'tripLinks.instruct',
    'users.create',
    'users.invite',
  ])
})

test('limits: map routes of billed services -> few for visitors, more for users, counted together', async () => {
  const limited = ['places.search', 'places.route', 'bookings.offers', 'bookings.list', 'functions.getRoute']
  await start({ all: 100, user: 100, assets: 9 }, 1_000, (added) => {
    const limits = { ...defaultLimits, billedMaps: 2, billedMapsUser: 5 }
    for (const route of contractRoutes()) {
      if (!limited.includes(route.name)) continue
      const rateLimit = { groupId: route.name, ...limitOf(route, limits, true) }
      added.get(`/${route.name}`, { config: { rateLimit } }, async () => ({ ok: true }))
    }
  })
  const from = '203.0.113.9'
  expect(await ask('/places.search', from)).toBe(200)
  expect(await ask('/bookings.offers', from)).toBe(200)
  expect(await ask('/places.route', from)).toBe(429)
  expect(await ask('/any', from)).toBe(200)
  for (const route of [
    '/places.search',
    '/places.route',
    '/bookings.offers',
    '/functions.getRoute',
    '/places.route',
  ])
    expect(await ask(route, from, 'session ann')).toBe(200)
  for (const route of ['/places.search', '/functions.getRoute', '/bookings.offers'])
    expect(await ask(route, from, 'session ann')).toBe(429)
  expect(await ask('/bookings.list', from, 'session ann')).toBe(200)
  expect(await ask('/places.search', from, 'forged')).toBe(429)
})

test('limits: map routes, nothing is billed -> the same limits for visitors', () => {
  for (const route of contractRoutes().filter(({ name }) => name.startsWith('places.')))
    expect(limitOf(route, defaultLimits)).toEqual({ max: defaultLimits.places })
})

test('limits: offers with several drops -> fewer than for one', () => {
  const offers = contractRoutes().find(({ name }) => name === 'bookings.offers')
  const max = offers && limitOf(offers, defaultLimits)?.max
  if (typeof max !== 'function') throw new TypeError('the limit depends on the request')
  const limitFor = (headers: object) => max({ headers } as Parameters<typeof max>[0], '')
  expect(limitFor({ 'content-length': '240' })).toBe(defaultLimits.offers)
  expect(limitFor({ 'content-length': '1500' })).toBe(defaultLimits.plans)
  expect(limitFor({ 'transfer-encoding': 'chunked' })).toBe(defaultLimits.plans)
})

let now = 0
const counts = (most: number) => new WindowCounter(most, () => now)

test('counts: repeated key in a window -> counted up; next window -> restarts at one', () => {
  const one = counts(10)
  now = 0
  expect(one.add('a', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
  now = 400
  expect(one.add('a', 1_000)).toEqual({ count: 2, leftMs: 600 })
  expect(one.add('b', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
  now = 1_000
  expect(one.add('a', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
})

test('counts: more keys than the limit -> the oldest window is dropped', () => {
  const one = counts(2)
  now = 0
  for (const key of ['a', 'b', 'c']) one.add(key, 1_000)
  expect(one.size).toBe(2)
  expect(one.add('c', 1_000).count).toBe(2)
  expect(one.add('b', 1_000).count).toBe(2)
  expect(one.add('a', 1_000).count).toBe(1)
})
