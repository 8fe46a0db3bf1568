import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'drizzle-orm'
import type { Pool, PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { connectDatabase } from './database.ts'
import { lostConnection, postgresError } from './postgres-errors.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { CommitUnknownError } from './transaction.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table tally (id int primary key, n int8 not null)')
})
afterAll(() => database.close())

describe('withTransaction', () => {
  test('drizzle and plain queries -> commit together, then afterCommit runs', async () => {
    const committed: string[] = []
    await database.withTransaction(async (tx) => {
      tx.afterCommit(() => committed.push('committed'))
      await tx.db.execute(sql`insert into tally values (1, 10)`)
      await tx.client.query('update tally set n = n + 1 where id = 1')
      expect(committed).toEqual([])
    })
    expect(committed).toEqual(['committed'])
    expect((await database.pool.query('select n from tally where id = 1')).rows).toEqual([{ n: 11 }])
  })

  test('work throws -> rolled back, afterCommit does not run', async () => {
    const committed: string[] = []
    const failing = database.withTransaction(async (tx) => {
      tx.afterCommit(() => committed.push('committed'))
      await tx.db.execute(sql`insert into tally values (2, 1)`)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(committed).toEqual([])
    expect((await database.pool.query('select 1 from tally where id = 2')).rowCount).toBe(0)
  })

  test('deadlock -> retries', async () => {
    await database.pool.query('insert into tally values (3, 0), (4, 0)')
    let runs = 0
    const bothHoldOne = barrier(2)
    const cross = (first: number, second: number) =>
      database.withTransaction(async (tx) => {
        runs += 1
        await tx.client.query('update tally set n = n + 1 where id = $1', [first])
        await bothHoldOne()
        await tx.client.query('update tally set n = n + 1 where id = $1', [second])
      })
    await Promise.all([cross(3, 4), cross(4, 3)])
    expect(runs).toBe(3)
    expect((await database.pool.query('select n from tally where id in (3, 4)')).rows).toEqual([
      { n: 2 },
      { n: 2 },
    ])
  })

  test('serialization failure -> retries', async () => {
    await database.pool.query('insert into tally values (5, 0)')
    const bothHaveRead = barrier(2)
    const increment = () =>
      database.withTransaction(
        async (tx) => {
          const n = (await tx.client.query('select n from tally where id = 5')).rows[0].n
          await bothHaveRead()
          await tx.client.query('update tally set n = $1 where id = 5', [n + 1])
        },
        { isolation: 'repeatable read' },
      )
    await Promise.all([increment(), increment()])
    expect((await database.pool.query('select n from tally where id = 5')).rows).toEqual([{ n: 2 }])
  })
})

describe('lost connection', () => {
  test('terminated inside a transaction -> the transaction fails, the next one succeeds', async () => {
    const lost = database.withTransaction(async ({ client }) => {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      const broken = once(client, 'error')
      await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
      await broken
      await client.query('select 1')
    })
    await expect(lost).rejects.toSatisfy((error) => lostConnection(error) !== undefined)
    await database.withTransaction(({ client }) => client.query('insert into tally values (20, 1)'))
  })

  test('terminated while checked out of the pool -> the process survives', async () => {
    const client = await database.pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const broken = once(client, 'error')
    await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    await broken
    client.release()
    expect((await database.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  test('lost during the commit -> CommitUnknownError, no retry', async () => {
    await database.pool.query(`
      create table fatal (n int);
      create function end_backend() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      create constraint trigger fatal after insert on fatal deferrable initially deferred
        for each row execute function end_backend()`)
    let runs = 0
    const committed: string[] = []
    const lost = database.withTransaction(async (tx) => {
      runs += 1
      tx.afterCommit(() => committed.push('committed'))
      await tx.client.query('insert into fatal values (1)')
    })
    await expect(lost).rejects.toThrow(CommitUnknownError)
    expect([runs, committed]).toEqual([1, []])
  })

  /** A separate pool whose errors the test inspects. */
  const connectSeparately = (connection: PoolConfig) =>
    connectDatabase(
      {
        connection: { connectionString: database.url, ...connection },
        description: 'separate',
        exclusive: false,
      },
      silentLog(),
    )

  test.each<[string, PoolConfig, (pool: Pool) => Promise<unknown>]>([
    [
      'no server',
      { host: '127.0.0.1', port: 1, connectionString: undefined },
      (pool) => pool.query('select 1'),
    ],
    ['no socket', { host: '/nowhere', connectionString: undefined }, (pool) => pool.connect()],
    [
      'no connection is free',
      { max: 1, connectionTimeoutMillis: 100 },
      async (pool) => {
        const client = await pool.connect()
        await pool.query('select 1').finally(() => client.release())
      },
    ],
    ['no response', { query_timeout: 50 }, (pool) => pool.query('select pg_sleep(60)')],
    [
      'a connection that has ended',
      {},
      async (pool) => {
        const client = await pool.connect()
        const { rows } = await client.query('select pg_backend_pid() as pid')
        const broken = once(client, 'error')
        await pool.query('select pg_terminate_backend($1)', [rows[0].pid])
        await broken
        await client.query('select 1').finally(() => client.release())
      },
    ],
  ])('%s -> classified as a lost connection', async (_how, connection, ask) => {
    const other = connectSeparately(connection)
    await expect(ask(other.pool)).rejects.toSatisfy((error) => lostConnection(error) !== undefined)
    other.breakConnections()
    await other.close()
  })

  test('another service resets its connection inside a transaction -> not a lost database connection', async () => {
    const service = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const failed = database.withTransaction(async ({ client }) => {
      await client.query('insert into tally values (30, 1)')
      const socket = connect((service.address() as AddressInfo).port, '127.0.0.1')
      await once(socket, 'data')
    })
    await expect(failed).rejects.toSatisfy(
      (error) =>
        (error as NodeJS.ErrnoException).code === 'ECONNRESET' && lostConnection(error) === undefined,
    )
    service.close()
  })
})

describe('int8', () => {
  test('plain and drizzle queries -> number', async () => {
    expect((await database.pool.query('select 9007199254740991::int8 as n')).rows).toEqual([
      { n: 9007199254740991 },
    ])
    expect((await database.db.execute(sql`select 5::int8 as n`)).rows).toEqual([{ n: 5 }])
  })

  test('not a safe integer -> RangeError', async () => {
    await expect(database.pool.query('select 9007199254740993::int8')).rejects.toThrow(RangeError)
  })
})

test('postgresError: wrapped by drizzle -> code and constraint kept', async () => {
  await database.pool.query('insert into tally values (9, 0)')
  const error = await database.db
    .execute(sql`insert into tally values (9, 0)`)
    .catch((caught: unknown) => caught)
  expect(postgresError(error)).toMatchObject({ code: '23505', constraint: 'tally_pkey' })
})

/** Resolves for all callers once `count` have arrived; later callers do not wait. */
function barrier(count: number): () => Promise<void> {
  let arrived = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived >= count) open()
    return opened
  }
}
