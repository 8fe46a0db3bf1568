import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '@hansom/doubles/proxy'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { silentLog } from '../log/log.ts'
import { connectDatabase, type Database } from './database.ts'
import { markDatabaseError } from './postgres-errors.ts'
import { createServerLock, type ServerLock } from './server-lock.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

type Server = { database: Database; lock: ServerLock; isCutOff: boolean }

let outer: TestDatabase
const servers: Server[] = []

beforeAll(async () => {
  outer = await createTestDatabase()
  await outer.pool.query('create table tally (n int)')
})
afterEach(async () => {
  for (const { database } of servers.splice(0)) await database.close()
})
afterAll(() => outer.close())

function newServer(heartbeatMs?: number): Server {
  const connection = { connectionString: outer.url }
  const database = connectDatabase(
    { connection, description: 'a server', exclusive: true, stop: () => lock.release() },
    silentLog(),
  )
  const server = { database, isCutOff: false } as Server
  const lock = createServerLock({
    connection,
    log: silentLog(),
    ensureRunning: async () => {
      if (server.isCutOff) throw markDatabaseError(new Error('Connection terminated'))
    },
    term: database.term,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  })
  server.lock = lock
  servers.push(server)
  return server
}

async function serving(server: Server): Promise<Server> {
  await server.lock.take()
  await server.lock.beginTerm()
  return server
}

const write = ({ database }: Server) =>
  database.withTransaction(({ client }) => client.query('insert into tally values (1)'))

const loseLock = () =>
  outer.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'hansom process%'`,
  )

const holder = async () =>
  (
    await outer.pool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted`,
    )
  ).rows[0]?.pid

test('lock: second server -> stands by, takes over when the first releases it', async () => {
  const first = await serving(newServer())
  const second = newServer()
  expect(await newServer().lock.tryTake()).toContain(`process ${process.pid} on`)
  const taken = serving(second)
  await write(first)
  expect(second.lock.isHeld()).toBe(false)
  await first.lock.release()
  await taken
  expect(second.lock.isHeld()).toBe(true)
  await write(second)
})

test('lock: connection lost, lock still free -> reacquired, server continues', async () => {
  const server = await serving(newServer())
  const superseded = vi.fn()
  void server.lock.superseded().then(superseded)
  for (let loss = 0; loss < 3; loss++) {
    const before = await holder()
    await loseLock()
    await vi.waitFor(async () => expect([undefined, before]).not.toContain(await holder()))
    await vi.waitFor(() => expect(server.lock.isHeld()).toBe(true))
  }
  await write(server)
  expect(superseded).not.toHaveBeenCalled()
})

test('lock: lost to another server -> writes rejected, superseded resolves, serves again later', async () => {
  const first = await serving(newServer())
  first.isCutOff = true
  await loseLock()
  const second = await serving(newServer())
  await expect(write(first)).rejects.toMatchObject({ code: 'HN009' })
  await write(second)

  first.isCutOff = false
  await first.lock.superseded()
  expect(first.lock.isHeld()).toBe(false)
  const again = serving(first)
  await second.lock.release()
  await again
  await write(first)
  await expect(write(second)).rejects.toMatchObject({ code: 'HN009' })
})

test('term: transactions of the previous term still open -> begins after they end', async () => {
  const first = await serving(newServer())
  let commit = () => {}
  let begun = false
  const slow = first.database.withTransaction(async ({ client }) => {
    begun = true
    await new Promise<void>((resolve) => {
      commit = resolve
    })
    await client.query('insert into tally values (2)')
  })
  await vi.waitFor(() => expect(begun).toBe(true))
  first.isCutOff = true
  await loseLock()
  let hasBegun = false
  const heartbeatMs = 100
  const second = serving(newServer(heartbeatMs)).then(() => {
    hasBegun = true
  })
  const isWaiting = () =>
    outer.pool.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
  await vi.waitFor(async () => expect((await isWaiting()).rowCount).toBe(1))
  await wait(5 * heartbeatMs)
  expect(hasBegun).toBe(false)
  commit()
  await slow
  await second
  first.isCutOff = false
})

test('network: goes silent -> running queries fail, lock lost; restored -> lock reacquired', async () => {
  const proxy = await proxyTo(outer.url)
  const connection = { connectionString: proxy.url }
  const database = connectDatabase(
    { connection, description: 'a server', exclusive: true, stop: () => lock.release() },
    silentLog(),
  )
  const lock = createServerLock({
    connection,
    log: silentLog(),
    ensureRunning: async () => {},
    term: database.term,
    onSilence: database.breakConnections,
    heartbeatMs: 200,
  })
  await lock.take()
  await lock.beginTerm()
  await database.pool.query('select 1')
  const asked = database.pool.query('select pg_sleep(0.1)')
  proxy.hold()
  await expect(asked).rejects.toThrow(/Connection terminated/)
  await vi.waitFor(() => expect(lock.isHeld()).toBe(false))
  proxy.release()
  await loseLock()
  await vi.waitFor(() => expect(lock.isHeld()).toBe(true), { timeout: 10_000 })
  expect((await database.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  await database.close()
  proxy.close()
})

test('lock: released while lost -> database stopped, unless another server has it', async () => {
  const stopped = async (server: Server) => {
    server.isCutOff = true
    await loseLock()
    await vi.waitFor(() => expect(server.lock.isHeld()).toBe(false))
    server.isCutOff = false
    const last = vi.fn(async () => {})
    await server.lock.release(last)
    return last
  }
  expect(await stopped(await serving(newServer()))).toHaveBeenCalledOnce()

  const first = await serving(newServer())
  first.isCutOff = true
  await loseLock()
  const second = await serving(newServer())
  first.isCutOff = false
  const last = vi.fn(async () => {})
  await first.lock.release(last)
  expect(last).not.toHaveBeenCalled()
  expect(second.lock.isHeld()).toBe(true)
})

/** A proxy to a database, and its URL. */
async function proxyTo(url: string) {
  const target = new URL(url)
  const path = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}`
  const proxy = await openProxy({ path })
  const near = new URL(url)
  near.searchParams.delete('host')
  near.hostname = '127.0.0.1'
  near.port = String(proxy.port)
  return { ...proxy, url: near.href }
}
