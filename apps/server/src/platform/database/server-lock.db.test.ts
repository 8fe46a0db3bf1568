import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { silentLog } from '../log/log.ts'
import { connectDatabase, type Database } from './database.ts'
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

function newServer(): Server {
  const connection = { connectionString: outer.url }
  const database = connectDatabase(
    { connection, description: 'a server', exclusive: true, stop: () => lock.release() },
    silentLog(),
  )
  const server = { database, isCutOff: false } as Server
  const lock = createServerLock({
    connection,
    log: silentLog(),
    revive: async () => {
      if (server.isCutOff) throw new Error('Connection terminated')
    },
    term: database.term,
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

test('the lock: a second server -> stands by, and takes over when the first one releases it', async () => {
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

test('the lock: its connection is lost and nobody took it -> the server takes it again and goes on', async () => {
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

test('the lock: lost to another server -> writes of the first are refused, it hears so, and serves again later', async () => {
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

test('a term: begins after the transactions of the term before have ended', async () => {
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
  const second = serving(newServer()).then(() => {
    hasBegun = true
  })
  const isWaiting = () =>
    outer.pool.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
  await vi.waitFor(async () => expect((await isWaiting()).rowCount).toBe(1))
  expect(hasBegun).toBe(false)
  commit()
  await slow
  await second
  first.isCutOff = false
})
