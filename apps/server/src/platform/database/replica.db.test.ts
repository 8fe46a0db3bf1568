import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '@hansom/doubles/proxy'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkReplica } from '../../doctor-database.ts'
import { silentLog } from '../log/log.ts'
import { connectDatabase, type Database } from './database.ts'
import { embeddedUser } from './embedded/data-folder.ts'
import { type EmbeddedServer, startEmbeddedServer } from './embedded/embedded-server.ts'
import { lostConnection } from './postgres-errors.ts'
import { connectReplica, type Replica, type ReportSource } from './replica.ts'
import { createTestDatabase } from './test-database.ts'

describe('a streaming replica', { timeout: 30_000 }, () => {
  let folder: string
  let primary: EmbeddedServer
  let standby: EmbeddedServer
  let database: Database
  let direct: Database
  let replica: Replica
  const fast = { fsync: 'off', shared_buffers: '16MB', autovacuum: 'off' }
  const url = ({ socketFolder }: EmbeddedServer, user = embeddedUser) =>
    `postgresql://${user}@localhost/postgres?host=${socketFolder}`
  const connect = (server: EmbeddedServer, user?: string) =>
    connectDatabase(
      { connection: { connectionString: url(server, user) }, description: '', exclusive: false },
      silentLog(),
    )
  const startStandby = () =>
    startEmbeddedServer({
      dataDir: join(folder, 'standby'),
      detached: false,
      settings: {
        ...fast,
        primary_conninfo: `host=${primary.socketFolder} user=${embeddedUser}`,
        max_standby_streaming_delay: '0',
        wal_retrieve_retry_interval: '100ms',
      },
    })
  const open = () =>
    connectReplica({ url: url(standby), database, log: silentLog(), patienceMs: 300, avoidMs: 0 })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hansom-replica-'))
    await chmod(folder, 0o755)
    primary = await startEmbeddedServer({ dataDir: join(folder, 'primary'), detached: false, settings: fast })
    database = connect(primary)
    await database.pool.query('create table trips as select n from generate_series(1, 1000) as n')
    const client = await database.pool.connect()
    await client.query(`select pg_backup_start('replica', true)`)
    execFileSync('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    client.release()
    const copy = join(folder, 'standby', 'postgres')
    await rm(join(copy, 'postmaster.pid'))
    await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '')
    await writeFile(join(copy, 'standby.signal'), '')
    execFileSync('chown', [
      `--reference=${join(copy, 'PG_VERSION')}`,
      ...['backup_label', 'standby.signal'].map((name) => join(copy, name)),
    ])
    standby = await startStandby()
    direct = connect(standby)
    replica = open()
  }, 60_000)
  afterEach(() => direct.pool.query('select pg_wal_replay_resume()'))
  afterAll(async () => {
    await replica.close()
    await Promise.all([direct.close(), database.close()])
    await Promise.all([standby.stop(), primary.stop()])
    await rm(folder, { recursive: true, force: true })
  })

  /** Where it was read, and what. */
  const count = async ({ db }: ReportSource) =>
    (
      await db.execute<{ replica: boolean; n: number }>(
        sql`select pg_is_in_recovery() as replica, count(*)::int as n from trips`,
      )
    ).rows[0]

  test('a row is committed -> every report after it has the row, from the replica', async () => {
    for (let n = 1; n <= 50; n++) {
      await database.pool.query('insert into trips values ($1)', [1_000 + n])
      expect(await replica.read(count)).toEqual({ replica: true, n: 1_000 + n })
    }
    expect(await replica.lagS()).toBe(0)
  })

  test('the replica is behind -> the database is read, and the lag is known; it has caught up -> it is read again', async () => {
    await direct.pool.query('select pg_wal_replay_pause()')
    await database.pool.query('insert into trips values (0)')
    expect(await replica.read(count)).toEqual({ replica: false, n: 1_051 })
    expect(await replica.lagS()).toBeGreaterThan(0)
    await direct.pool.query('select pg_wal_replay_resume()')
    await expect.poll(() => replica.read(count)).toEqual({ replica: true, n: 1_051 })
  })

  test('replaying is in conflict with a read -> the replica cancels it, and the database is read', async () => {
    const places: boolean[] = []
    const read = replica.read(async (source) => {
      const { db } = source
      const [{ replica: isReplica } = { replica: false }] = (
        await db.execute<{ replica: boolean }>(sql`select pg_is_in_recovery() as replica`)
      ).rows
      places.push(isReplica)
      if (!isReplica) return count(source)
      const slow = source.pool.query('select count(*), pg_sleep(20) from trips')
      slow.catch(() => {})
      await expect
        .poll(async () => {
          const active = `select from pg_stat_activity where wait_event = 'PgSleep'`
          return (await direct.pool.query(active)).rowCount
        })
        .toBe(1)
      await database.pool.query('alter table trips add column note text')
      await slow
      return undefined
    })
    expect(await read).toEqual({ replica: false, n: 1_051 })
    expect(places).toEqual([true, false])
  })

  test('a report fails for a reason of its own -> it is not repeated on the database', async () => {
    let times = 0
    const read = replica.read(({ db }) => {
      times++
      return db.execute(sql`select 1 / 0`)
    })
    await expect(read).rejects.toThrow()
    expect(times).toBe(1)
  })

  test('other reports have all connections -> a report fails as unavailable; they end -> the replica is read', async () => {
    const busy = connectReplica({ url: url(standby), database, log: silentLog(), freeMs: 1_000 })
    const started: unknown[] = []
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const others = Array.from({ length: 10 }, () =>
      busy.read(async ({ pool }) => {
        const client = await pool.connect()
        started.push(client)
        await ended
        client.release()
      }),
    )
    await expect.poll(() => started.length).toBe(10)
    await expect(busy.read(count)).rejects.toSatisfy((error) => lostConnection(error) !== undefined)
    expect(await busy.lagS()).toBe(0)
    end()
    await Promise.all(others)
    expect(await busy.read(count)).toMatchObject({ replica: true })
    await busy.close()
  })

  test('a report cannot have its one connection more -> it fails as unavailable, not on the database', async () => {
    const busy = connectReplica({ url: url(standby), database, log: silentLog(), freeMs: 1_000 })
    let times = 0
    const read = busy.read(async ({ pool }) => {
      times++
      const clients = await Promise.allSettled(Array.from({ length: 11 }, () => pool.connect()))
      for (const one of clients) if (one.status === 'fulfilled') one.value.release()
      for (const one of clients) if (one.status === 'rejected') throw one.reason
    })
    await expect(read).rejects.toSatisfy((error) => lostConnection(error) !== undefined)
    expect(times).toBe(1)
    expect(await busy.read(count)).toMatchObject({ replica: true })
    await busy.close()
  })

  test('the database itself fails -> its error, and the replica is not blamed', async () => {
    const log = silentLog()
    const warn = vi.spyOn(log, 'warn')
    const gone = { ...database, pool: { query: () => Promise.reject(new Error('gone')) } as never }
    const beside = connectReplica({ url: url(standby), database: gone, log })
    await expect(beside.read(count)).rejects.toThrow('gone')
    expect(warn).not.toHaveBeenCalled()
    await beside.close()
  })

  test('the database may not say how far it is -> it is read itself, with a warning', async () => {
    await database.pool.query(`revoke execute on function pg_control_system() from public;
      create role limited login; grant select on trips to limited`)
    const limited = connect(primary, 'limited')
    const log = silentLog()
    const warn = vi.spyOn(log, 'warn')
    const beside = connectReplica({ url: url(standby), database: limited, log })
    expect(await beside.read(count)).toEqual({ replica: false, n: 1_051 })
    expect(warn).toHaveBeenCalledTimes(1)
    await Promise.all([beside.close(), limited.close()])
  })

  test('the replica is silent -> its lag is unknown soon, long before a report is given up', async () => {
    const { socketFolder } = standby
    const proxy = await openProxy({ path: join(socketFolder, '.s.PGSQL.5432') })
    const silent = connectReplica({
      url: `postgresql://${embeddedUser}@127.0.0.1:${proxy.port}/postgres`,
      database,
      log: silentLog(),
    })
    expect(await silent.lagS()).toBe(0)
    proxy.hold()
    expect(await Promise.race([silent.lagS(), wait(10_000, 'no end')])).toBeNull()
    proxy.close()
    await silent.close()
  })

  test('no replica, but another address of the database itself, or another database -> never read', async () => {
    const itself = connectReplica({ url: url(primary), database, log: silentLog(), patienceMs: 50 })
    expect(await itself.read(count)).toEqual({ replica: false, n: 1_051 })
    expect(await itself.lagS()).toBeNull()
    await itself.close()
    const other = await createTestDatabase({ empty: true })
    await other.pool.query('create table trips ()')
    const place = { databaseReplicaUrl: url(standby), databaseDirectUrl: undefined }
    const said = async (databaseUrl: string) => (await checkReplica({ ...place, databaseUrl })).level
    expect([await said(url(primary)), await said(other.url)]).toEqual(['ok', 'problem'])
    const foreign = connectReplica({ url: url(standby), database: other, log: silentLog() })
    expect(await foreign.read(count)).toEqual({ replica: false, n: 0 })
    await foreign.close()
    await other.close()
  })

  test('the replica stops -> the database is read; it is back -> it is read again', async () => {
    await direct.close()
    await standby.stop()
    expect(await replica.read(count)).toEqual({ replica: false, n: 1_051 })
    expect(await replica.lagS()).toBeNull()
    standby = await startStandby()
    direct = connect(standby)
    await expect.poll(() => replica.read(count), { timeout: 10_000 }).toEqual({ replica: true, n: 1_051 })
  })
})
