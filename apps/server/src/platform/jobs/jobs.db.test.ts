import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { scaledClock, systemClock } from '../clock/clock.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { type Log, silentLog } from '../log/log.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { TryLater } from './worker.ts'

const schema = z.object({ n: z.number() })

let database: TestDatabase
let jobs: Jobs
let seen: number[]

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  seen = []
  await database.pool.query('delete from pgboss.job')
  jobs = createJobs(database, systemClock, silentLog())
  jobs.define('count', { schema }, async ({ n }) => {
    seen.push(n)
  })
})
afterEach(() => jobs.stop())

describe('jobs', () => {
  test('sent before or after the start -> done', async () => {
    await jobs.start()
    await jobs.stop()
    await jobs.send('count', { n: 1 })
    jobs = restarted()
    await jobs.start()
    await jobs.send('count', { n: 2 })
    await vi.waitFor(() => expect(seen.toSorted()).toEqual([1, 2]))
  })

  test('sent in a transaction -> exist only if it commits', async () => {
    await jobs.start()
    const failing = database.withTransaction(async (tx) => {
      await jobs.send('count', { n: 1 }, { tx })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await database.withTransaction(async (tx) => {
      await jobs.send('count', { n: 2 }, { tx })
    })
    await vi.waitFor(() => expect(seen).toEqual([2]))
    expect((await database.pool.query(`select 1 from pgboss.job where name = 'count'`)).rowCount).toBe(1)
  })

  test('sendMany -> one statement, in the given transaction, each at its time', async () => {
    await jobs.start()
    const many = [1, 2, 3].map((n) => ({ name: 'count', data: { n } }))
    const failing = database.withTransaction(async (tx) => {
      await jobs.sendMany(many, tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const queries = vi.spyOn(database.pool, 'query')
    await jobs.sendMany([...many, { name: 'count', data: { n: 4 }, startAt: Date.now() + 3_600_000 }])
    expect(queries.mock.calls.filter(([text]) => String(text).includes('INSERT INTO'))).toHaveLength(1)
    queries.mockRestore()
    await vi.waitFor(() => expect(seen.toSorted()).toEqual([1, 2, 3]))
    const waiting = await database.pool.query(
      `select round(extract(epoch from start_after - now()) / 60)::int as minutes, retry_limit, policy
        from pgboss.job where state = 'created' and name = 'count'`,
    )
    expect(waiting.rows).toEqual([{ minutes: 60, retry_limit: 12, policy: 'short' }])
  })

  test('startAfterS and startAt -> wait', async () => {
    await jobs.start()
    await jobs.send('count', { n: 1 }, { startAfterS: 3600 })
    await jobs.send('count', { n: 2 }, { startAt: Date.now() + 7_200_000 })
    const waiting = await database.pool.query(
      `select round(extract(epoch from start_after - now()) / 60)::int as minutes from pgboss.job order by 1`,
    )
    expect(waiting.rows).toEqual([{ minutes: 60 }, { minutes: 120 }])
  })

  test('clock runs faster -> wait is shorter', async () => {
    await jobs.stop()
    jobs = restarted(scaledClock(60))
    await jobs.start()
    await jobs.send('count', { n: 1 }, { startAfterS: 3600 })
    const waiting = await database.pool.query(
      'select round(extract(epoch from start_after - now()))::int as s from pgboss.job',
    )
    expect(waiting.rows).toEqual([{ s: 60 }])
  })

  test('same singletonKey -> only one waits', async () => {
    await jobs.start()
    const key = { singletonKey: 'a', startAfterS: 100 }
    expect(await jobs.send('count', { n: 1 }, key)).not.toBeNull()
    expect(await jobs.send('count', { n: 2 }, key)).toBeNull()
    expect(await jobs.send('count', { n: 3 }, { ...key, singletonKey: 'b' })).not.toBeNull()
  })

  test('failed -> retried', async () => {
    let tries = 0
    jobs.define('flaky', { schema }, async ({ n }) => {
      tries += 1
      if (tries === 1) throw new Error('not yet')
      seen.push(n)
    })
    await jobs.start()
    await jobs.send('flaky', { n: 7 })
    await vi.waitFor(() => expect(seen).toEqual([7]), { timeout: 10_000 })
    expect(tries).toBe(2)
  })

  test('left active by a killed server -> restarted', async () => {
    await jobs.start()
    await jobs.stop()
    await jobs.send('count', { n: 5 })
    await database.pool.query(`update pgboss.job set state = 'active', started_on = now()`)
    jobs = restarted()
    await jobs.start()
    await vi.waitFor(() => expect(seen).toEqual([5]))
  })

  test('repeat set -> runs repeatedly', async () => {
    jobs.define('tick', { schema, repeat: { everyS: 0.2, data: { n: 9 } } }, async ({ n }) => {
      seen.push(n)
    })
    await jobs.start()
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(3), { timeout: 10_000 })
    expect(
      (await database.pool.query(`select 1 from pgboss.job where state = 'created'`)).rowCount,
    ).toBeLessThan(2)
  })

  test('first start: job runs at once and adds one defined later -> neither fails', async () => {
    const failures: unknown[] = []
    const log = { ...silentLog(), warn: (entry: unknown) => failures.push(entry) } as unknown as Log
    await jobs.stop()
    jobs = createJobs(database, systemClock, log)
    jobs.define('first', { schema, repeat: { everyS: 3600, data: { n: 1 } } }, async () => {
      await jobs.send('last', { n: 8 })
    })
    for (let n = 0; n < 10; n++) jobs.define(`between ${n}`, { schema }, async () => {})
    jobs.define('last', { schema }, async ({ n }) => {
      seen.push(n)
    })
    await jobs.start()
    await vi.waitFor(() => expect(seen).toEqual([8]), { timeout: 10_000 })
    expect(failures).toEqual([])
  })

  test('job is put off -> retried, no warning', async () => {
    const warnings: unknown[] = []
    const log = { ...silentLog(), warn: (entry: unknown) => warnings.push(entry), debug: () => {} }
    await jobs.stop()
    jobs = createJobs(database, systemClock, log as unknown as Log)
    jobs.define('twice', { schema }, async ({ n }) => {
      seen.push(n)
      if (seen.length === 1) throw new TryLater('another one does it')
    })
    await jobs.start()
    await jobs.send('twice', { n: 5 })
    await vi.waitFor(() => expect(seen).toEqual([5, 5]), { timeout: 10_000 })
    expect(warnings).toEqual([])
  })

  test('several servers start together for the first time -> all do', async () => {
    await database.pool.query(`select pgboss.delete_queue(name) from pgboss.queue`)
    const servers = Array.from({ length: 4 }, () => {
      const server = createJobs(database, systemClock, silentLog())
      for (let n = 0; n < 40; n++)
        server.define(`together-${n}`, { schema, repeat: { everyS: 60, data: { n } } }, async () => {})
      return server
    })
    const started = await Promise.allSettled(servers.map((server) => server.start()))
    await Promise.all(servers.map((server) => server.stop()))
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
    const { rows } = await database.pool.query(
      `select count(*) as n from pgboss.queue where name like 'together-%'`,
    )
    expect(rows[0].n).toBe(40)
  })

  test('stop -> running job finishes first', async () => {
    let finish = () => {}
    let hasStarted = false
    jobs.define('slow', { schema }, async ({ n }) => {
      hasStarted = true
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      seen.push(n)
    })
    await jobs.start()
    await jobs.send('slow', { n: 1 })
    await vi.waitFor(() => expect(hasStarted).toBe(true))
    const stopped = jobs.stop()
    finish()
    await stopped
    expect(seen).toEqual([1])
    expect((await database.pool.query('select state from pgboss.job')).rows).toEqual([{ state: 'completed' }])
  })

  test('invalid data or unknown name -> send throws', async () => {
    await expect(jobs.send('count', { n: 'many' })).rejects.toThrow()
    await expect(jobs.send('unknown', {})).rejects.toThrow('no job is defined')
  })
})

function restarted(clock = systemClock): Jobs {
  const again = createJobs(database, clock, silentLog())
  again.define('count', { schema }, async ({ n }) => {
    seen.push(n)
  })
  return again
}
