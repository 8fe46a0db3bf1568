import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { connectDatabase, type Database } from './database.ts'
import { embeddedUser } from './embedded/data-folder.ts'
import { type EmbeddedServer, startEmbeddedServer } from './embedded/embedded-server.ts'
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
  const url = ({ socketFolder }: EmbeddedServer) =>
    `postgresql://${embeddedUser}@localhost/postgres?host=${socketFolder}`
  const connect = (server: EmbeddedServer) =>
    connectDatabase(
      { connection: { connectionString: url(server) }, description: '', exclusive: false },
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

  test('no replica, but another address of the database itself, or another database -> never read', async () => {
    const itself = connectReplica({ url: url(primary), database, log: silentLog(), patienceMs: 50 })
    expect(await itself.read(count)).toEqual({ replica: false, n: 1_051 })
    expect(await itself.lagS()).toBeNull()
    await itself.close()
    const other = await createTestDatabase({ empty: true })
    await other.pool.query('create table trips ()')
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
