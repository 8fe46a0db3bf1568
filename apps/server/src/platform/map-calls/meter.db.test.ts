import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { silentLog } from '../log/log.ts'
import { createMapMeter } from './meter.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.pool.query('truncate map_calls'))

/** 23:00 of the 25th in the city. */
let now = Date.UTC(2026, 10, 26, 2, 0)
const open = (calls: number | null = null, cost: number | null = null) =>
  createMapMeter({
    database,
    clock: { now: () => now },
    log: silentLog(),
    timezone: 'America/Montevideo',
    cap: { calls, cost },
    priceOf: (service) => (service === 'google' ? 5_000 : 0),
  })

test('restart -> the count and the cap of the day go on', async () => {
  const first = await open(null, 15_000)
  expect(first.take('google', 'route', 1)).toBe(true)
  first.failed('google', 'route')
  expect(first.take('google', 'driveTimes', 1)).toBe(true)
  await first.flush()
  const second = await open(null, 15_000)
  expect(second.today()).toMatchObject({
    day: '2026-11-25',
    total: { calls: 2, microUsd: 10_000 },
    cap: { calls: null, microUsd: 15_000 },
  })
  expect(second.today().calls).toContainEqual({
    service: 'google',
    kind: 'route',
    calls: 1,
    failures: 1,
    microUsd: 5_000,
  })
  expect(second.take('google', 'driveTimes', 2)).toBe(false)
  expect(second.take('google', 'route', 1)).toBe(true)
  expect(second.take('google', 'route', 1)).toBe(false)
  await second.flush()
})

test('several servers at once -> no call is lost, each sees all after its next batch', async () => {
  const servers = await Promise.all([open(), open(), open()])
  await Promise.all(
    servers.flatMap((server) =>
      Array.from({ length: 20 }, async () => {
        server.take('osrm', 'route', 1)
        await server.flush()
      }),
    ),
  )
  for (const server of servers) {
    await server.flush()
    expect(server.today().total.calls).toBe(60)
  }
})

test('midnight in the city -> a new day; the last calls of the old one are stored in it', async () => {
  const meter = await open(1)
  expect(meter.take('osrm', 'route', 1)).toBe(true)
  expect(meter.take('osrm', 'route', 1)).toBe(false)
  now += 3_600_000
  expect(meter.take('osrm', 'route', 1)).toBe(true)
  expect(meter.today().total.calls).toBe(1)
  await meter.flush()
  const { rows } = await database.pool.query('select day::text, calls from map_calls order by day')
  expect(rows).toEqual([
    { day: '2026-11-25', calls: 1 },
    { day: '2026-11-26', calls: 1 },
  ])
})

test.each(['insert', 'select'] as const)(
  'database fails at its %s -> the calls are stored later, once',
  async (step) => {
    let isDown = false
    const failing = <T extends object>(db: T) =>
      new Proxy(db, {
        get: (target, name) => {
          if (isDown && name === step) throw new Error('database is down')
          return Reflect.get(target, name) as unknown
        },
      })
    const meter = await createMapMeter({
      database: {
        withTransaction: (work, options) =>
          database.withTransaction((tx) => work({ ...tx, db: failing(tx.db) }), options),
      },
      clock: { now: () => now },
      log: silentLog(),
      timezone: 'America/Montevideo',
      cap: { calls: 2, cost: null },
      priceOf: () => 0,
    })
    isDown = true
    expect(meter.take('osrm', 'route', 1)).toBe(true)
    await expect(meter.flush()).rejects.toThrow('database is down')
    expect(meter.take('osrm', 'route', 1)).toBe(true)
    expect(meter.take('osrm', 'route', 1)).toBe(false)
    isDown = false
    await meter.flush()
    expect((await database.pool.query('select sum(calls)::int as calls from map_calls')).rows).toEqual([
      { calls: 2 },
    ])
  },
)
