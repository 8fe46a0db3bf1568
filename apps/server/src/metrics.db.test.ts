import { afterAll, beforeAll, expect, test } from 'vitest'
import { centre } from './features/bookings/straight-city.fixture.ts'
import { registry } from './platform/metrics/metrics.ts'
import { loadTestConfig } from './test-app.ts'
import { createTraffic, type Traffic } from './traffic.fixture.ts'

const token = 'a token that only this test uses'
let town: Traffic
beforeAll(async () => {
  town = await createTraffic({ config: { ...loadTestConfig(), metricsToken: token } })
})
afterAll(() => town.app.close())

async function page(): Promise<string> {
  const reply = await town.app.server.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toContain('text/plain')
  return reply.body
}

/** The samples of a page: names with labels, and values. */
function read(text: string): Map<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

test('metrics: no token, wrong token, no configured token -> as if the page did not exist', async () => {
  const asked = (authorization?: string) =>
    town.app.server.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })
  const unknown = await town.app.server.inject({ url: '/metrics/none' })
  for (const authorization of [undefined, 'Bearer ', `Bearer ${token}x`, `Basic ${token}`, token]) {
    const reply = await asked(authorization)
    expect(reply.statusCode).toBe(404)
    const [{ requestId: _one, ...body }, { requestId: _other, ...expected }] = [reply.json(), unknown.json()]
    expect(body).toEqual(expected)
  }
})

test('metrics: traffic -> counted, with types, and labels that name no one', async () => {
  const before = read(await registry.metrics())
  const driver = await town.addDriver('wheel@metrics.test', { firstName: 'Metricus' })
  const other = await town.addDriver('axle@metrics.test', {}, { lat: centre.lat + 0.001, lng: centre.lng })
  const rider = await town.add('rider', 'seat@metrics.test')
  const first = await town.book(rider.bearer)
  const { call } = town
  expect((await call(other.bearer, 'POST', `/api/v1/bookings/${first}/decline`, {})).status).toBe(200)
  expect((await call(driver.bearer, 'POST', `/api/v1/bookings/${first}/accept`, {})).status).toBe(200)
  const wrong = { email: 'seat@metrics.test', password: 'wrong one 1' }
  expect((await call('', 'POST', '/api/auth/sign-in/email', wrong)).status).toBe(401)
  await town.app.services.ledgerCheck.now()
  await town.delivered()

  const text = await page()
  const after = read(text)
  const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(more('hansom_offers_total')).toBe(2)
  expect(more('hansom_offers_ended_total{outcome="declined"}')).toBe(1)
  expect(more('hansom_offers_ended_total{outcome="accepted"}')).toBe(1)
  expect(more('hansom_offer_accept_seconds_count')).toBe(1)
  expect(more('hansom_booking_status_changes_total{from="none",to="NEW"}')).toBe(1)
  expect(more('hansom_booking_status_changes_total{from="NEW",to="ACCEPTED"}')).toBe(1)
  expect(more('hansom_positions_total')).toBe(2)
  expect(more('hansom_sign_in_failures_total{kind="password"}')).toBe(1)
  expect(more('hansom_live_lag_seconds_count')).toBeGreaterThanOrEqual(3)
  expect(
    more('hansom_outbox_events_total{kind="booking.changed",result="delivered"}'),
  ).toBeGreaterThanOrEqual(3)
  expect(
    more('hansom_job_duration_seconds_count{job="booking.dispatch",result="done"}'),
  ).toBeGreaterThanOrEqual(1)
  expect(
    more('hansom_http_request_duration_seconds_count{method="POST",route="/api/v1/bookings",status="2xx"}'),
  ).toBe(1)
  expect(after.get('hansom_driver_index_size')).toBe(2)
  expect(after.get('hansom_database_up')).toBe(1)
  expect(after.get('hansom_outbox_parked')).toBe(0)
  expect(after.get('hansom_jobs{job="alerts.scan",state="failed"}')).toBe(0)
  expect(after.get('hansom_database_connections{state="in use"}')).toBeGreaterThanOrEqual(0)

  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
  expect(types.get('hansom_offers_total')).toBe('counter')
  expect(types.get('hansom_live_published_total')).toBe('counter')
  expect(types.get('hansom_live_connections')).toBe('gauge')
  expect(types.get('hansom_http_request_duration_seconds')).toBe('histogram')
  expect([...types.keys()].filter((name) => !name?.startsWith('hansom_'))).toEqual([])
  expect(types.has('hansom_nodejs_eventloop_lag_p99_seconds')).toBe(true)
  expect(types.has('hansom_process_resident_memory_bytes')).toBe(true)

  for (const secret of [
    'Metricus',
    'metrics.test',
    driver.id,
    first,
    driver.mobile,
    String(centre.lat),
    token,
  ])
    expect(text).not.toContain(secret)
})

test('metrics: unknown paths, ids and methods -> no new labels', async () => {
  const labels = async () => [...read(await page()).keys()].filter((name) => name.startsWith('hansom_http_'))
  for (const path of ['/nowhere-0', '/api/v1/bookings/0', '/api/v1/track/0'])
    await town.app.server.inject({ url: path })
  await page()
  const before = await labels()
  for (let n = 1; n <= 20; n++) {
    for (const path of [`/nowhere-${n}`, `/api/v1/bookings/${n}`, `/api/v1/track/${n}`, `/${n}/x?y=${n}`])
      await town.app.server.inject({ url: path })
  }
  expect(await labels()).toEqual(before)
})
