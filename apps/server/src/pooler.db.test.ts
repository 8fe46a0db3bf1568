import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, startTestRedis, type TestRedis } from './adapters/server-bus/test-redis.ts'
import { connectDatabase, type Database } from './platform/database/database.ts'
import { openDatabase, openForServer } from './platform/database/open-database.ts'
import { missingLimits } from './platform/database/pooler.ts'
import { createTestDatabase } from './platform/database/test-database.ts'
import { hasPooler, startTestPooler, type TestPooler } from './platform/database/test-pooler.ts'
import { silentLog } from './platform/log/log.ts'
import { createTestApp, type TestApp, vapid } from './test-app.ts'
import { type Called, Journey, prepareCity } from './test-journeys.ts'
import { ServerProcess } from './test-server-process.ts'

const connections = 3

describe.skipIf(!hasPooler)('behind PgBouncer in transaction mode', () => {
  let app: TestApp
  let pooler: TestPooler
  let through: Database

  beforeAll(async () => {
    app = await createTestApp()
    pooler = await startTestPooler(app.database.url, connections)
    const connection = { connectionString: pooler.url, max: 10 }
    through = connectDatabase({ connection, description: '', exclusive: false, pooled: true }, silentLog())
  })
  afterAll(async () => {
    await through.close()
    await pooler.close()
    await app.close()
  })

  const place = (databaseDirectUrl?: string) => ({ databaseUrl: pooler.url, databaseDirectUrl, dataDir: '' })

  test('no DATABASE_DIRECT_URL, or one that leads to the pooler too -> refuses to start and says what to set', async () => {
    for (const redisUrl of [undefined, 'redis://127.0.0.1'])
      for (const direct of [undefined, pooler.url])
        await expect(openForServer({ ...place(direct), redisUrl }, silentLog())).rejects.toThrow(
          /through a pooler.*\n.*set DATABASE_DIRECT_URL/,
        )
  })

  test('DATABASE_DIRECT_URL leads to another database -> neither servers nor commands use it', async () => {
    const other = await createTestDatabase()
    const config = place(other.url)
    for (const redisUrl of [undefined, 'redis://127.0.0.1'])
      await expect(openForServer({ ...config, redisUrl }, silentLog())).rejects.toThrow('different databases')
    await expect(openDatabase(config, silentLog())).rejects.toThrow('different databases')
    await other.close()
  })

  test('a server that is alone -> uses PostgreSQL itself, where its lock holds', async () => {
    const { database, lock } = await openForServer(
      { ...place(app.database.url), redisUrl: undefined },
      silentLog(),
    )
    expect(await lock.tryTake()).toBeNull()
    expect((await database.pool.query('show application_name')).rows).toEqual([
      { application_name: 'hansom' },
    ])
    await database.close()
  })

  test('the same named statement in many transactions at a time -> every one is answered', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        through.withTransaction(async ({ client }) => {
          const query = { name: 'twice', text: 'select $1::int as n, pg_sleep(0.002)', values: [number] }
          await client.query(query)
          return (await client.query<{ n: number }>(query)).rows[0]?.n
        }),
      ),
    )
    expect(answers).toEqual(Array.from({ length: 60 }, (_, number) => number))
  })

  test('a transaction -> has its limits, and leaves none to the next client of the connection', async () => {
    const limits = `select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`
    const { rows } = await through.withTransaction(({ client }) => client.query(limits))
    expect(rows).toEqual([{ statement: '15s', idle: '30s' }])
    expect((await through.pool.query(limits)).rows).toEqual([{ statement: '0', idle: '0' }])
  })

  test('limits of the role are missing -> named; executed -> they hold for every new connection', async () => {
    const statements = await missingLimits(through.pool)
    expect(statements).toMatch(/alter role .* set statement_timeout = 15000;.* = 30000;/)
    await through.pool.query(statements ?? '')
    await pooler.ask(`reconnect`)
    await expect.poll(() => missingLimits(through.pool)).toBeNull()
    await app.database.pool.query(`alter role current_user in database ${databaseName()} reset all`)
    await pooler.ask(`reconnect`)
  })
  const databaseName = () => new URL(app.database.url).pathname.slice(1)

  describe.skipIf(!hasRedis)('two servers with three connections', () => {
    let redis: TestRedis
    let servers: [ServerProcess, ServerProcess]
    let carType: string
    beforeAll(async () => {
      carType = await prepareCity(app, 20)
      redis = await startTestRedis()
      servers = [await ServerProcess.at(pooler.url), await ServerProcess.at(pooler.url)]
      for (const server of servers) {
        server.launch({
          DATABASE_DIRECT_URL: app.database.url,
          REDIS_URL: `redis://127.0.0.1:${redis.port}`,
          VAPID_PUBLIC_KEY: vapid.publicKey,
          VAPID_PRIVATE_KEY: vapid.privateKey,
        })
      }
      await Promise.all(servers.map((server) => server.untilHealthy()))
    }, 60_000)
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.end('SIGTERM')))
      await redis.close()
    })

    test('PgBouncer is killed during trips -> they end, and every event and job has its effect', {
      timeout: 120_000,
    }, async () => {
      const any: Called = {
        post: (...call) => server().post(...call),
        signIn: (email) => server().signIn(email),
      }
      const server = () => servers[Math.random() < 0.5 ? 0 : 1]
      const journeys = await Promise.all(
        [0, 1, 2, 3].map((number) => Journey.begin(app, any, carType, number)),
      )
      const driven = Promise.all(journeys.map((journey) => journey.drive()))
      await expect.poll(() => journeys.every(({ id }) => id !== ''), { timeout: 30_000 }).toBe(true)
      await pooler.kill()
      await wait(500)
      await pooler.start()
      await driven
      for (const journey of journeys) await journey.expectNothingLost()
      const { pool } = app.database
      const { rows } = await pool.query('select status from bookings')
      expect(rows).toEqual(journeys.map(() => ({ status: 'COMPLETE' })))
      const open = 'select (select count(*) from outbox) + (select count(*) from parked_events) as n'
      await expect.poll(async () => (await pool.query(open)).rows[0].n, { timeout: 30_000 }).toBe(0)
      const jobs = await pool.query(`select name from pgboss.job where state = 'failed'`)
      expect(jobs.rows).toEqual([])
      expect((await pool.query('select sum(amount)::bigint as n from ledger_legs')).rows).toEqual([{ n: 0 }])
      const [{ sv_active, sv_idle } = {}] = (await pooler.ask('show pools')).filter(
        ({ database }) => database === databaseName(),
      ) as { sv_active?: number; sv_idle?: number }[]
      expect(Number(sv_active) + Number(sv_idle)).toBeLessThanOrEqual(connections)
      for (const { output } of servers) expect(output).toContain('no time limit behind the pooler')
    })
  })
})
