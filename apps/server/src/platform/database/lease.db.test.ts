import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { type LeaseOptions, runAlone, takeLease } from './lease.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table results (epoch int)')
})
afterAll(() => database.close())

const options = (name: string, more: Partial<LeaseOptions> = {}): LeaseOptions => ({
  database,
  name,
  log: silentLog(),
  renewMs: 20,
  lastMs: 10_000,
  ...more,
})
/** The lease of a process that is paused after it took it: it renews nothing. */
const paused = (name: string) => takeLease(options(name, { renewMs: 600_000, lastMs: 50 }))
const taken = async (name: string) => {
  await expect
    .poll(
      async () =>
        (await database.pool.query('select from leases where name = $1 and until < $2', [name, Date.now()]))
          .rowCount,
    )
    .toBe(1)
  return takeLease(options(name))
}

test('a lease is held -> no other until it is released', async () => {
  const first = await takeLease(options('held', { lastMs: 200 }))
  await expect
    .poll(
      async () =>
        (await database.pool.query(`select until from leases where name = 'held'`)).rows[0].until -
        Date.now(),
    )
    .toBeLessThan(190)
  // Renewed meanwhile.
  await database.pool.query('select pg_sleep(0.5)')
  expect(await takeLease(options('held'))).toBeNull()
  await first?.release()
  const second = await takeLease(options('held'))
  expect(second).not.toBeNull()
  await second?.release()
})

test('ten servers ask at once -> one gets it', async () => {
  const asked = await Promise.all(Array.from({ length: 10 }, () => takeLease(options('contested'))))
  expect(asked.filter((lease) => lease !== null)).toHaveLength(1)
  for (const lease of asked) await lease?.release()
})

test('a paused runner whose lease was taken over -> its late write is refused, its release frees nothing', async () => {
  const late = await paused('paused')
  const next = await taken('paused')
  await expect(
    database.withTransaction(async ({ client }) => {
      await late?.guard(client)
      await client.query('insert into results values (1)')
    }),
  ).rejects.toMatchObject({ name: 'LeaseLostError' })
  await database.withTransaction(async ({ client }) => {
    await next?.guard(client)
    await client.query('insert into results values (2)')
  })
  expect((await database.pool.query('select epoch from results')).rows).toEqual([{ epoch: 2 }])
  await late?.release()
  expect(await takeLease(options('paused'))).toBeNull()
  await next?.release()
})

test('a runner is paused inside its transaction -> the next one gets the lease after it', async () => {
  const late = await paused('slow')
  let next: unknown
  await database.withTransaction(async ({ client }) => {
    await late?.guard(client)
    await database.pool.query(`select pg_sleep(0.1)`)
    next = takeLease(options('slow')).then((lease) => lease?.release())
    await expect
      .poll(async () => (await database.pool.query(`select from pg_locks where not granted`)).rowCount)
      .toBeGreaterThan(0)
    await client.query('insert into results values (3)')
  })
  await next
  await expect(
    database.withTransaction(({ client }) => late?.guard(client) ?? Promise.resolve()),
  ).rejects.toMatchObject({ name: 'LeaseLostError' })
})

test('continuous work of three servers -> on one at a time, on another when that stops or loses its lease', async () => {
  const running: number[] = []
  let [most, begun] = [0, 0]
  const runners = [1, 2, 3].map((number) =>
    runAlone(options('continuous'), () => {
      running.push(number)
      begun++
      most = Math.max(most, running.length)
      return { stop: async () => void running.splice(running.indexOf(number), 1) }
    }),
  )
  await expect.poll(() => running.length).toBe(1)
  const first = running[0] as number
  await runners[first - 1]?.stop()
  await expect.poll(() => running.length === 1 && running[0] !== first).toBe(true)
  expect(most).toBe(1)
  await database.pool.query(`update leases set epoch = epoch + 1, until = 0 where name = 'continuous'`)
  await expect.poll(() => begun, { timeout: 5_000 }).toBe(3)
  await expect.poll(() => running.length).toBe(1)
  await Promise.all(runners.map((runner) => runner.stop()))
  expect(running).toEqual([])
})
