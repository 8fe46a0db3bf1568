import { errorBody } from '@hansom/contract/shapes'
import type { Role } from '@hansom/domain/users/roles'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractRoutes } from './platform/http/mount-contract.ts'
import { createTestApp, type TestApp } from './test-app.ts'

let app: TestApp
const bearers: Partial<Record<Role, string>> = {}

beforeAll(async () => {
  app = await createTestApp({ limits: { all: 1e6, places: 1e6, offers: 1e6, setup: 1e6 } })
  for (const usertype of ['rider', 'driver', 'admin'] as const) {
    await app.addPerson({ email: `${usertype}@x.test`, usertype })
    bearers[usertype] = await app.bearer(`${usertype}@x.test`)
  }
})
afterAll(() => app.close())

const runs = 12
const someId = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'

/** Words that routes really look for, so that the noise gets past the first field. */
const likelyKeys = fc.constantFrom(
  'id',
  'pickup',
  'drop',
  'lat',
  'lng',
  'add',
  'points',
  'q',
  'car_type_id',
  'otp',
  'reason',
  'token',
  'promo',
  'start',
  'dest',
  'latlng',
  'searchKeyword',
  'place_id',
  'positions',
  'at',
  'cursor',
  'limit',
  '__proto__',
)
const likelyValues = fc.oneof(
  fc.constantFrom<unknown>(
    someId,
    '',
    '0',
    '-34.9,-56.16',
    '91,181',
    'x'.repeat(5000),
    '\u0000',
    '💥',
    null,
    true,
    [],
  ),
  fc.constantFrom<unknown>(-34.9, -56.16, 1e308, -0, Number.MAX_SAFE_INTEGER + 2, {
    lat: -34.9,
    lng: -56.16,
  }),
  fc.jsonValue({ maxDepth: 2 }),
)
const bodies = fc.oneof(fc.dictionary(likelyKeys, likelyValues), fc.jsonValue({ maxDepth: 3 }))

/** Every answer is a success, or a refusal of ours that says what was wrong. */
function expectClear(answer: { statusCode: number; body: string }, what: string) {
  if (answer.statusCode < 300) return
  expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500)
  expect(answer.statusCode, what).toBeGreaterThanOrEqual(400)
  expect(errorBody.safeParse(JSON.parse(answer.body)).success, `${what}: ${answer.body}`).toBe(true)
}

describe.each(contractRoutes())('$method $path', ({ method, path }) => {
  test.each(['nobody', 'rider', 'driver', 'admin'] as const)(
    'any input from %s gets a clear answer',
    async (who) => {
      const authorization = who === 'nobody' ? undefined : bearers[who]
      const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) }
      await fc.assert(
        fc.asyncProperty(bodies, fc.constantFrom(someId, 'x', '%00', '..%2f..', 'é'), async (body, id) => {
          const url = path.replace(/\{[^}]+\}/g, id)
          const answer =
            method === 'GET'
              ? await app.server.inject({ method, url: `${url}?${queryOf(body)}`, headers })
              : await app.server.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) })
          expectClear(answer, `${method} ${url} ${JSON.stringify(body)}`)
        }),
        { numRuns: runs },
      )
    },
  )
})

function queryOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return encodeURIComponent(JSON.stringify(body))
  return Object.entries(body)
    .map(
      ([key, value]) =>
        `${encodeURIComponent(key)}=${encodeURIComponent((JSON.stringify(value) ?? '').slice(0, 900))}`,
    )
    .join('&')
}

test.each([
  ['cut off', '{"q":'],
  ['empty', ''],
  ['a poisoned prototype', '{"__proto__":{"admin":true}}'],
  ['not JSON at all', '\u0000\u0001'],
])('a body that is %s is refused', async (_name, payload) => {
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/v1/route',
    payload,
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_input'])
})

test('a body that is too large, or of another type, is refused in the same form', async () => {
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

test('unknown paths and methods are told apart', async () => {
  const unknown = await app.server.inject({ url: '/api/v1/nothing' })
  expect([unknown.statusCode, unknown.json().error]).toEqual([404, 'not_found'])
  const method = await app.server.inject({ method: 'DELETE', url: '/api/v1/settings' })
  expect([method.statusCode, method.json().error, method.headers.allow]).toEqual([
    405,
    'method_not_allowed',
    'GET',
  ])
  const broken = await app.server.inject({ url: '/api/v1/bookings/%zz' })
  expect([broken.statusCode, broken.json().error]).toEqual([400, 'invalid_input'])
})

test('a refused input names its fields, and a signed-out person is refused before the input is looked at', async () => {
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
  expect([signedOut.statusCode, signedOut.json().error]).toEqual([401, 'not_logged_in'])
})
