import { errorBody } from '@hansom/contract/shapes'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from './config.ts'
import { contractRoutes } from './platform/http/implement.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { junk, nearValid } from './test-near-valid.ts'
import { rounds } from './test-rounds.ts'

let app: TestApp
const people = ['rider', 'driver', 'fleet', 'admin'] as const
const roleOf = { rider: 'rider', driver: 'driver', fleet: 'fleetadmin', admin: 'admin' } as const
let made = 0
const bearers: Partial<Record<(typeof people)[number], string>> = {}
/** Path parameters and meaningful texts; existing ids are added once they are read. */
const names = ['0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f', 'en', 'x', '%00', '..%2f..', 'é', '%F0%9F']
const words = ['RAMBLA50', 'PAID', '12345', 'x\u0000', '\ud800']

beforeAll(async () => {
  const config = { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: true }
  app = await createTestApp({
    config,
    category: 'delivery',
    limits: { all: 1e6, places: 1e6, offers: 1e6, setup: 1e6 },
  })
  const { demo } = app.services
  await demo.seed({ drivers: 0, riders: 0 })
  const idsOf = async (query: string) =>
    (await app.database.pool.query<{ id: string }>(query)).rows.map(({ id }) => id)
  const bookings = await idsOf('select id from bookings order by id desc limit 12')
  names.push(...bookings)
  words.push(
    ...bookings.slice(0, 3),
    ...(await idsOf('select id from car_types union all select id from users limit 9')),
  )
})
afterAll(() => app.close())

const runs = rounds(4, 30)

/** Returns a currently valid bearer: some routes end sessions, one even deletes the account. */
async function bearerOf(who: (typeof people)[number]): Promise<string> {
  const known = bearers[who]
  if (known !== undefined && (await app.services.accounts.session({ authorization: known })) !== null)
    return known
  const renewed = known === undefined ? null : `${who}-${++made}@demo.test`
  if (renewed) await app.addUser({ email: renewed, usertype: roleOf[who] })
  bearers[who] = await app.bearer(renewed ?? `${who}@demo.test`)
  return bearers[who]
}

/** Every response is a success or one of our errors with a reason. */
function expectClear(answer: { statusCode: number; body: string }, what: string) {
  if (answer.statusCode < 300) return
  expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500)
  expect(answer.statusCode, what).toBeGreaterThanOrEqual(400)
  expect(errorBody.safeParse(JSON.parse(answer.body)).success, `${what}: ${answer.body}`).toBe(true)
}

describe.each(contractRoutes())('$method $path', ({ method, path, input }) => {
  test.each(['visitor', ...people] as const)('any input from %s -> success or a clear error', async (who) => {
    const authorization = who === 'visitor' ? undefined : await bearerOf(who)
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) }
    const body = fc.oneof({ weight: 5, arbitrary: nearValid(input, words) }, { weight: 1, arbitrary: junk })
    const id = fc.constantFrom(...names)
    await fc.assert(
      fc.asyncProperty(body, id, async (value, named) => {
        const url = path.replace(/\{[^}]+\}/g, named)
        const answer =
          method === 'GET'
            ? await app.server.inject({ method, url: `${url}?${queryOf(value)}`, headers })
            : await app.server.inject({ method, url, headers, payload: JSON.stringify(value) })
        expectClear(answer, `${method} ${url} ${JSON.stringify(value)}`)
      }),
      { numRuns: runs },
    )
  })
})

function queryOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return escaped(body)
  return Object.entries(body)
    .map(([key, value]) => `${escaped(key)}=${escaped(value)}`)
    .join('&')
}

/** An unpaired surrogate cannot be part of a URL. */
function escaped(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.slice(0, 900).replace(/\p{Cs}/gu, ''))
}

test.each([
  ['cut off', '{"q":'],
  ['empty', ''],
  ['a poisoned prototype', '{"__proto__":{"admin":true}}'],
  ['not JSON at all', '\u0000\u0001'],
])('body: %s -> invalid_input', async (_name, payload) => {
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/v1/route',
    payload,
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_input'])
})

test('body: text the database cannot store, at any depth -> invalid_input', async () => {
  const inject = (payload: string, path: string) =>
    app.server.inject({ method: 'POST', url: path, payload, headers: { 'content-type': 'application/json' } })
  for (const payload of ['{"points":[{"x":"a\\u0000b"}]}', '{"points":"\\ud800"}', '{"\\udfff":1}']) {
    const answer = await inject(payload, '/api/v1/route')
    expect([answer.statusCode, answer.json().error], payload).toEqual([400, 'invalid_input'])
    expect(answer.json().fields, payload).toBeUndefined()
  }
  const deep = await inject(`${'['.repeat(200_000)}${']'.repeat(200_000)}`, '/api/v1/route')
  expect(deep.statusCode).toBe(400)
  expect((await app.server.inject({ url: '/api/v1/places?q=a%00b' })).statusCode).toBe(400)
})

test('body: too large or of another type -> refused in the same format', async () => {
  const large = await app.server.inject({
    method: 'POST',
    url: '/api/v1/route',
    payload: { points: 'x'.repeat(1_100_000) },
  })
  expect([large.statusCode, large.json().error]).toEqual([413, 'too_large'])
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ]) {
    const other = await app.server.inject({
      method: 'POST',
      url: '/api/v1/route',
      payload: 'points=1',
      headers: { 'content-type': type },
    })
    expect([other.statusCode, other.json().error], type).toEqual([415, 'unsupported_media'])
  }
})

test('paths: unknown path -> not_found; unknown method -> method_not_allowed', async () => {
  const unknown = await app.server.inject({ url: '/api/v1/nothing' })
  expect([unknown.statusCode, unknown.json().error]).toEqual([404, 'not_found'])
  const method = await app.server.inject({ method: 'DELETE', url: '/api/v1/settings' })
  expect([method.statusCode, method.json().error, method.headers.allow]).toEqual([
    405,
    'method_not_allowed',
    'GET, PATCH',
  ])
  const broken = await app.server.inject({ url: '/api/v1/bookings/%zz' })
  expect([broken.statusCode, broken.json().error]).toEqual([400, 'invalid_input'])
})

test('validation: invalid input -> its fields; signed-out caller -> refused before validation', async () => {
  const fields = await app.server.inject({
    method: 'POST',
    url: '/api/v1/route',
    payload: { points: [{ lat: 'a', lng: 400 }] },
  })
  expect(fields.statusCode).toBe(400)
  expect(fields.json().fields).toEqual([
    { field: 'points.0.lat', error: 'wrong_type' },
    { field: 'points.0.lng', error: 'out_of_range' },
    { field: 'points', error: 'too_short' },
  ])
  const signedOut = await app.server.inject({
    method: 'POST',
    url: '/googleapis-getroute',
    payload: { start: 7 },
  })
  expect([signedOut.statusCode, signedOut.json().error]).toEqual([401, 'Unable to get user token'])
})
