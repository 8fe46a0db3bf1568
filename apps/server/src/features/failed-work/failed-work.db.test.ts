import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../platform/clock/clock.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createOutbox } from '../../platform/outbox/outbox.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
let admin: string
let rider: string

beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  await app.addUser({ email: 'ada@x.test', usertype: 'admin' })
  await app.addUser({ email: 'rita@x.test', usertype: 'rider' })
  admin = await app.bearer('ada@x.test')
  rider = await app.bearer('rita@x.test')
})
afterAll(() => app.close())
beforeEach(() =>
  app.database.pool.query('delete from outbox; delete from parked_events; delete from pgboss.job'),
)

const ask = (method: 'GET' | 'POST', path: string, authorization: string, payload?: object) =>
  app.server.inject({
    method,
    url: `/api/v1/failed-work${path}`,
    headers: { authorization },
    ...(payload && { payload }),
  })
const list = async () => (await ask('GET', '', admin)).json().items

/**
 * Publishes events of two streams, of which the first fails while `isBroken`, and waits until they were published or
 * parked.
 */
async function publishPoison() {
  const told: unknown[] = []
  const poison = {
    isBroken: true,
    told,
    outbox: createOutbox({ database: app.database, log: silentLog(), pollMs: 20, retryMs: 1, parkMs: 40 }),
  }
  poison.outbox.on('sample', ({ payload }) => {
    if (payload.n === 1 && poison.isBroken) throw new Error('cannot read it')
    told.push(payload.n)
  })
  await app.database.withTransaction((tx) =>
    poison.outbox.write(tx, [
      { kind: 'sample', stream: 'a', payload: { n: 1 } },
      { kind: 'sample', stream: 'a', payload: { n: 2 } },
      { kind: 'sample', stream: 'b', payload: { n: 3 } },
    ]),
  )
  poison.outbox.start()
  await expect.poll(() => told.toSorted(), { timeout: 15_000 }).toEqual([2, 3])
  return poison
}

describe('event that keeps failing', () => {
  test('parked -> its stream continues, and an admin sees the event, since when and why', async () => {
    const { outbox } = await publishPoison()
    await outbox.stop()
    const item = { kind: 'event', name: 'sample', count: 1, error: 'cannot read it' }
    expect(await list()).toEqual([{ ...item, since: expect.any(Number), latest: expect.any(Number) }])
    expect((await ask('GET', '', rider)).statusCode).toBe(404)
  })

  test('retried after the cause is fixed -> published, and the alert is gone', async () => {
    const poison = await publishPoison()
    poison.isBroken = false
    const [{ latest: until }] = await list()
    const answer = await ask('POST', '/retry', admin, { kind: 'event', name: 'sample', until })
    expect(answer.json()).toEqual({ count: 1 })
    await expect.poll(() => poison.told.toSorted(), { timeout: 15_000 }).toEqual([1, 2, 3])
    await poison.outbox.stop()
    expect(await list()).toEqual([])
  })

  test('failed after the list was read -> stays when the list is discarded', async () => {
    await app.database.pool.query(
      `insert into parked_events (id, at, kind, payload, error, failing_since)
        values (1, 1, 'sample', '{}', 'old', 10), (2, 1, 'sample', '{}', 'new', 20)`,
    )
    const chosen = { kind: 'event', name: 'sample', until: 10 }
    expect((await ask('POST', '/discard', admin, chosen)).json()).toEqual({ count: 1 })
    expect(await list()).toMatchObject([{ count: 1, error: 'new' }])
    expect((await ask('POST', '/discard', admin, chosen)).statusCode).toBe(404)
  })
})

test('job after its last try -> listed, retried once the cause is fixed, or discarded', async () => {
  const jobs = createJobs(app.database, systemClock, silentLog())
  let isBroken = true
  const done: number[] = []
  jobs.define('sample', { schema: z.object({ n: z.number() }), retryLimit: 0 }, async ({ n }) => {
    if (isBroken) throw new Error('no room left')
    done.push(n)
  })
  await jobs.start()
  await jobs.send('sample', { n: 1 })
  await expect
    .poll(list, { timeout: 15_000 })
    .toMatchObject([{ kind: 'job', name: 'sample', count: 1, error: 'no room left' }])
  isBroken = false
  const chosen = async () => ({ kind: 'job', name: 'sample', until: (await list())[0].latest })
  const retry = (payload: object) =>
    app.database.withTransaction((tx) => {
      const { name, until } = payload as { name: string; until: number }
      return jobs.retryFailed(name, until, tx)
    })
  expect(await retry(await chosen())).toBe(1)
  await expect.poll(() => done, { timeout: 15_000 }).toEqual([1])
  expect(await list()).toEqual([])

  isBroken = true
  await jobs.send('sample', { n: 2 })
  await expect.poll(async () => (await list()).length, { timeout: 15_000 }).toBe(1)
  expect((await ask('POST', '/discard', admin, await chosen())).json()).toEqual({ count: 1 })
  expect(await list()).toEqual([])
  await jobs.stop()
})
