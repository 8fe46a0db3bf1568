import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { openPlaceholderServer, type PlaceholderServer } from '../../listen.ts'
import { silentLog } from '../log/log.ts'
import { type MetricsDeps, mountMetrics } from './metrics-route.ts'

function serverWith(
  read: () => Promise<unknown>,
  access: { token?: string; demo: boolean } = { demo: true },
  lagS: () => Promise<number | null> = async () => 1.5,
  isShared = true,
) {
  const server = Fastify()
  const withTransaction = vi.fn(read) as unknown as MetricsDeps['database']['withTransaction']
  const stats = { connections: 3, channels: 2, published: 5, delivered: 7, cutOff: 1, snapshots: 4 }
  const bus = { isShared, isUp: true, lose: () => {} }
  mountMetrics(
    server,
    {
      log: silentLog(),
      database: {
        pool: { totalCount: 5, idleCount: 2, waitingCount: 1 } as MetricsDeps['database']['pool'],
        withTransaction,
      },
      replica: { lagS },
      jobs: { counts: async () => [] },
      hub: { stats: () => stats },
      bus: {
        isShared: bus.isShared,
        isUp: () => bus.isUp,
        whenLost: (listener) => {
          bus.lose = listener
        },
      },
      driverIndex: { size: async () => 9 },
      lastLedgerCheck: async () => ({ at: 5_000, found: 0 }),
    },
    { token: access.token, demo: access.demo, perMinute: 100 },
  )
  return { server, withTransaction, stats, bus }
}
let placeholder: PlaceholderServer | undefined
afterEach(() => placeholder?.close())

const answered = async () => [{ waiting: 4, oldest: 2.5, parked: 1 }, []]

test('database answers -> its figures, those of the pool and of the hub', async () => {
  const { server, stats } = serverWith(answered)
  const { body } = await server.inject('/metrics')
  for (const line of [
    'hansom_database_up 1',
    'hansom_replica_lag_seconds 1.5',
    'hansom_outbox_waiting 4',
    'hansom_outbox_oldest_seconds 2.5',
    'hansom_outbox_parked 1',
    'hansom_ledger_check_timestamp_seconds 5',
    'hansom_database_connections{state="in use"} 3',
    'hansom_database_connection_waiters 1',
    'hansom_driver_index_size 9',
    'hansom_live_delivered_total 7',
  ])
    expect(body.split('\n')).toContain(line)
  stats.delivered = 8
  expect((await server.inject('/metrics')).body).toContain('hansom_live_delivered_total 8\n')
})

test('Redis is away, then messages may have been lost -> down, counted', async () => {
  const { server, bus } = serverWith(answered)
  const lines = async () => (await server.inject('/metrics')).body.split('\n')
  const before = Number(
    (await lines()).find((line) => line.startsWith('hansom_redis_messages_lost_total '))?.split(' ')[1],
  )
  expect(await lines()).toContain('hansom_redis_up 1')
  bus.isUp = false
  bus.lose()
  expect(await lines()).toEqual(
    expect.arrayContaining(['hansom_redis_up 0', `hansom_redis_messages_lost_total ${before + 1}`]),
  )
})

test('single server -> no figure of Redis, which would look as if it was down', async () => {
  const { server } = serverWith(answered, { demo: true }, async () => null, false)
  expect((await server.inject('/metrics')).body).not.toMatch(/^hansom_redis_up /m)
})

test('several scrapes at once and one after the other -> the database is asked once', async () => {
  const { server, withTransaction } = serverWith(answered)
  await Promise.all([1, 2, 3].map(() => server.inject('/metrics')))
  await server.inject('/metrics')
  expect(withTransaction).toHaveBeenCalledTimes(1)
})

test.each([
  ['fails', () => Promise.reject(new Error('gone'))],
  ['never answers', () => new Promise<never>(() => {})],
])('database %s -> page without its figures', async (_case, read) => {
  await serverWith(answered).server.inject('/metrics')
  const { body } = await serverWith(read).server.inject('/metrics')
  expect(body).toContain('hansom_database_up 0\n')
  expect(body).not.toMatch(/^hansom_(outbox_(waiting|oldest|parked)|ledger_check\w*) /m)
  expect(body).toContain('hansom_driver_index_size 9\n')
})

test('replica never answers -> page without its figure, with those of the database', async () => {
  await serverWith(answered).server.inject('/metrics')
  const { server } = serverWith(answered, { demo: true }, () => new Promise(() => {}))
  const { body } = await server.inject('/metrics')
  expect(body).toContain('hansom_database_up 1\n')
  expect(body).toContain('hansom_outbox_waiting 4\n')
  expect(body).not.toMatch(/^hansom_replica_lag_seconds /m)
})

test('no token configured -> shown by a demo only; a token -> asked for by a demo, too', async () => {
  const status = async (access: { token?: string; demo: boolean }, authorization = '') =>
    (await serverWith(answered, access).server.inject({ url: '/metrics', headers: { authorization } }))
      .statusCode
  expect(await status({ demo: true })).toBe(200)
  expect(await status({ demo: false })).not.toBe(200)
  expect(await status({ demo: false }, 'Bearer undefined')).not.toBe(200)
  expect(await status({ demo: true, token: 'secret' })).not.toBe(200)
  expect(await status({ demo: false, token: 'secret' }, 'Bearer secret')).toBe(200)
})

test('server starts or stands by -> its process for those who may read it, unavailable for others', async () => {
  let state = 'standing by'
  const config = { host: '127.0.0.1', port: 0, portGiven: true, metricsToken: 'secret', demo: false }
  placeholder = await openPlaceholderServer(config, () => state)
  const ask = async (path: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${placeholder?.port}${path}`, { headers })
    return { status: answer.status, body: await answer.text() }
  }
  const { status, body } = await ask('/metrics', 'secret')
  expect(status).toBe(200)
  expect(body).toMatch(/^hansom_process_resident_memory_bytes \d+/m)
  expect(body).toContain('hansom_standing_by 1\n')
  // Nothing that looks like the figures of a server that serves.
  expect(body).not.toMatch(/^hansom_(database|driver|live|outbox)/m)
  state = 'starting'
  expect((await ask('/metrics', 'secret')).body).toContain('hansom_standing_by 0\n')
  for (const [path, token] of [
    ['/metrics', 'other'],
    ['/metrics/', 'secret'],
    ['/', 'secret'],
  ] as const)
    expect(await ask(path, token)).toMatchObject({
      status: 503,
      body: expect.stringContaining('unavailable'),
    })
  state = 'standing by'
  await ask('/metrics', 'secret')
  const served = (await serverWith(answered).server.inject('/metrics')).body
  expect(served).toContain('hansom_standing_by 0\n')
  expect(served).toMatch(/^hansom_process_resident_memory_bytes \d+/m)
})
