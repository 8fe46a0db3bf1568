import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openControl } from '../../cluster/control.ts'
import { silentLog } from '../../log/log.ts'
import type { Database } from '../database.ts'
import { openDatabase, openForReading, openForServer, shareEmbedded } from '../open-database.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import { findPostmaster, truncateLog } from './postmaster.ts'

// Starts, crashes and recovers servers with fsync on: slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const isRoot = process.getuid?.() === 0
const fixture = fileURLToPath(new URL('./embedded-process.fixture.ts', import.meta.url))

/** A database that was created and stopped: creating one takes longer than all else here. */
let created: string
let folder: string
let dataDir: string
const children: ChildProcess[] = []

beforeAll(async () => {
  created = await mkdtemp(join(tmpdir(), 'hansom-embedded-created-'))
  await chmod(created, 0o755)
  await openDatabase({ databaseUrl: undefined, dataDir: created }, silentLog()).then((one) => one.close())
})
afterAll(() => rm(created, { recursive: true }))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hansom-embedded-'))
  await chmod(folder, 0o755)
  dataDir = join(folder, 'data')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  const moved = await readlink(join(dataDir, 'postgres')).catch(() => undefined)
  const running = await findPostmaster(moved ?? join(dataDir, 'postgres'))
  if (running !== undefined) await startEmbeddedServer({ dataDir }).then((server) => server.stop())
  if (moved !== undefined) await rm(dirname(moved), { recursive: true })
  await rm(folder, { recursive: true })
})

const open = (): Promise<Database> => openDatabase({ databaseUrl: undefined, dataDir }, silentLog())
/** Makes the data folder one that was used before. */
const useCreated = () => promisify(execFile)('cp', ['-a', created, dataDir])
const postmaster = async () => (await findPostmaster(join(dataDir, 'postgres')))?.pid

/** Another process that has the database open. */
async function startProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', fixture, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

describe('embedded database', () => {
  test('a server that is alone uses it -> not shared, and it goes on; a cluster runs -> not opened', async () => {
    await useCreated()
    const alone = await open()
    await expect(shareEmbedded(dataDir, silentLog(), 20)).rejects.toThrow('in use by another server')
    expect((await alone.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    await alone.close()

    const control = await openControl(dataDir, async () => {})
    const shared = await shareEmbedded(dataDir, silentLog(), 20)
    await expect(open()).rejects.toThrow('npm run cluster')
    expect(await postmaster()).toBeDefined()
    const place = { databaseUrl: undefined, redisUrl: undefined, dataDir }
    await expect(openForServer(place, silentLog())).rejects.toThrow('npm run cluster')
    const { database } = await openForReading(place, silentLog())
    await database.close()
    expect(await postmaster()).toBeDefined()
    await shared.stop()
    await expect(openForReading(place, silentLog())).rejects.toThrow('cluster is down')
    expect(await postmaster()).toBeUndefined()
    await new Promise((resolve) => control.close(resolve))
  })

  test('first and second start -> created, data kept, stops with its server', async () => {
    const first = await open()
    expect(first.describe()).toBe(`PostgreSQL 18.4, embedded, in ${dataDir}/postgres`)
    await first.pool.query('create table kept as select 42 as n')
    expect((await first.pool.query('show fsync')).rows).toEqual([{ fsync: 'on' }])
    expect((await first.pool.query('show listen_addresses')).rows).toEqual([{ listen_addresses: '' }])
    await first.close()
    expect(await postmaster()).toBeUndefined()
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)

    const second = await open()
    expect((await second.pool.query('select n from kept')).rows).toEqual([{ n: 42 }])
    await second.close()
  })

  test('log: rejected row -> error without the row; log too long -> truncated', async () => {
    await useCreated()
    const database = await open()
    await database.pool.query('create table people (email text unique)')
    await database.pool.query(`insert into people values ('ana@home.test')`)
    const again = database.pool.query(`insert into people values ('ana@home.test')`)
    await expect(again).rejects.toThrow('duplicate key')
    const logFile = join(dataDir, 'postgres.log')
    await vi.waitFor(async () => expect(await readFile(logFile, 'utf8')).toContain('duplicate key'))
    expect(await readFile(logFile, 'utf8')).not.toContain('ana@home')
    await truncateLog(logFile, 100)
    expect((await stat(logFile)).size).toBe(0)
    await expect(database.pool.query('select nothing')).rejects.toThrow()
    await vi.waitFor(async () => expect(await readFile(logFile, 'utf8')).toContain('nothing'))
    await database.close()
  })

  test('server killed -> keeps running, next server adopts it', async () => {
    await useCreated()
    const killed = await startProcess()
    const before = await postmaster()
    killed.kill('SIGKILL')
    await once(killed, 'exit')

    const next = await open()
    expect(await postmaster()).toBe(before)
    await next.close()
    expect(await postmaster()).toBeUndefined()
  })

  test('second server -> rejected with the name of the first, database keeps running', async () => {
    await useCreated()
    const first = await startProcess()
    await expect(open()).rejects.toThrow(`process ${first.pid} on`)
    expect(await postmaster()).toBeDefined()
    first.kill('SIGTERM')
    await once(first, 'exit')
    expect(await postmaster()).toBeUndefined()
  })

  test('database killed -> restarts', async () => {
    await useCreated()
    const database = await open()
    await database.pool.query('create table kept as select 42 as n')
    const before = await postmaster()
    process.kill(before ?? 0, 'SIGKILL')
    const again = async () => {
      // Processes of the killed server still respond briefly: the lock is present only on the new one.
      expect(await postmaster()).not.toBe(before)
      expect(await locks(database)).toHaveLength(1)
      expect((await database.pool.query('select n from kept')).rows).toEqual([{ n: 42 }])
    }
    await vi.waitFor(again, { timeout: 90_000, interval: 100 })
    await database.close()
  })

  test('servers of a cluster use it -> named by folder; command rejected, goes on; killed -> restarts when it can', async () => {
    await useCreated()
    const log = silentLog()
    const failed = vi.spyOn(log, 'error')
    const { url, stop } = await shareEmbedded(dataDir, log, 40)
    const ask = async (text: string) => {
      const client = new Client(url)
      client.on('error', () => {})
      await client.connect()
      return client.query(text).finally(() => client.end())
    }
    const shared = await openDatabase({ databaseUrl: url, dataDir }, silentLog())
    expect(shared.describe()).toBe(`PostgreSQL 18.4 in ${dataDir}/postgres`)
    await shared.close()
    await ask('create table servers (renewed_at bigint)')
    await ask(`insert into servers values ((extract(epoch from clock_timestamp()) * 1000)::bigint + 600_000)`)
    const before = await postmaster()
    await expect(open()).rejects.toThrow('in use by another server: the servers of npm run cluster')
    expect(await postmaster()).toBe(before)
    expect((await ask('select 1 as n')).rows).toEqual([{ n: 1 }])

    const versionFile = join(dataDir, 'postgres', 'PG_VERSION')
    const version = await readFile(versionFile)
    await writeFile(versionFile, '1\n')
    process.kill(before ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(failed).toHaveBeenCalled(), { timeout: 30_000, interval: 50 })
    await writeFile(versionFile, version)
    await vi.waitFor(
      async () => {
        expect([undefined, before]).not.toContain(await postmaster())
        expect((await ask('show max_connections')).rows).toEqual([{ max_connections: '40' }])
      },
      { timeout: 90_000, interval: 100 },
    )
    await stop()
    expect(await postmaster()).toBeUndefined()
  })

  test('stale postmaster.pid names another process -> starts', async () => {
    await useCreated()
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    await writeFile(pidFile, `${process.pid}\n${dataDir}/postgres\n0\n5432\n/tmp\n\n`)
    const again = await open()
    expect((await readFile(pidFile, 'utf8')).split('\n')[0]).not.toBe(String(process.pid))
    await again.close()
  })

  test('files of another version -> error with the fix', async () => {
    await useCreated()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
    await expect(open()).rejects.toThrow(/created by PostgreSQL 14.*DATA_DIR/s)
  })

  test('folder cannot be created -> error with the fix', async () => {
    await writeFile(dataDir, 'a file')
    await expect(open()).rejects.toThrow(/Cannot create.*DATA_DIR/s)
    const inProc = openDatabase({ databaseUrl: undefined, dataDir: '/proc/hansom/data' }, silentLog())
    await expect(inProc).rejects.toThrow(/Cannot create.*DATA_DIR/s)
  })

  test.runIf(isRoot)('data folder closed to other users -> its user may pass through', async () => {
    await mkdir(dataDir, { mode: 0o700 })
    const database = await open()
    expect((await lstat(join(dataDir, 'postgres'))).isDirectory()).toBe(true)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711)
    await database.close()
  })

  test.runIf(isRoot)(
    'data folder below a closed folder -> files stored where its user can reach them',
    async () => {
      await chmod(folder, 0o700)
      const database = await open()
      expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true)
      await database.pool.query('create table kept as select 42 as n')
      await database.close()
      const again = await open()
      expect((await again.pool.query('select n from kept')).rows).toEqual([{ n: 42 }])
      await again.close()
    },
  )
})

test('external database unreachable -> error with the fix, without the password', async () => {
  const nowhere = openDatabase({ databaseUrl: 'postgresql://me:secret@127.0.0.1:1/x', dataDir }, silentLog())
  await expect(nowhere).rejects.toThrow(
    /No database responds at 127\.0\.0\.1:1\/x.*ECONNREFUSED.*DATABASE_URL/s,
  )
  await expect(nowhere).rejects.not.toThrow(/secret/)
})

async function locks(database: Database) {
  return (await database.pool.query(`select 1 from pg_locks where locktype = 'advisory'`)).rows
}
