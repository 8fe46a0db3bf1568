import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientConfig, Pool } from 'pg'
import type { Log } from '../log/log.ts'
import { connectDatabase, type Database, DatabaseClient } from './database.ts'
import { embeddedUser } from './embedded/data-folder.ts'
import { startEmbeddedServer } from './embedded/embedded-server.ts'
import { truncateLog } from './embedded/postmaster.ts'
import { isPooled, missingLimits } from './pooler.ts'
import {
  DatabaseUnavailableError,
  isUniqueViolation,
  lostConnection,
  postgresError,
} from './postgres-errors.ts'
import { createServerLock, type ServerLock } from './server-lock.ts'
import { createSharedServers, hasSharedServers } from './shared-servers.ts'

const oldestVersion = 15
export const embeddedName = 'hansom'

/**
 * The URL of an external database, or undefined for the embedded one under `dataDir`. Where a pooler is at `databaseUrl`,
 * PostgreSQL itself is at `databaseDirectUrl`.
 */
export type DatabaseLocation = {
  databaseUrl: string | undefined
  databaseDirectUrl?: string | undefined
  dataDir: string
}

/** A database with the lock that a server takes before using it. */
export type LockableDatabase = {
  database: Database
  lock: ServerLock
  /** Connections with a session of their own, which migrations need: never those of a pooler. */
  sessions: Pick<Database, 'pool'>
}

/** How long a starting server waits for an external database that does not respond. */
const startPatienceMs = 60_000
const boundLogEveryMs = 60_000

/**
 * Opens the configured database for a command: the one at `databaseUrl`, or the embedded one under `dataDir`, started
 * or adopted, which no server may be using. Throws DatabaseUnavailableError with the fix.
 */
export async function openDatabase(config: DatabaseLocation, log: Log): Promise<Database> {
  if (config.databaseUrl !== undefined) return (await openOutside(config, log, 0)).database
  const { database, lock } = await openEmbedded(config.dataDir, log)
  const holder = await lock.tryTake()
  if (holder === null) return database
  await database.close()
  throw new DatabaseUnavailableError(
    `The data folder ${config.dataDir} is in use by another server: ${holder}.\n` +
      'Stop that server first, or set DATA_DIR to another folder for this one.',
  )
}

/**
 * Opens the database for a server, which must take the lock before using it. Waits up to a minute for an external
 * database that does not respond. Throws DatabaseUnavailableError.
 */
export async function openForServer(
  config: DatabaseLocation & { redisUrl: string | undefined },
  log: Log,
): Promise<LockableDatabase> {
  if (config.databaseUrl === undefined) return openEmbedded(config.dataDir, log)
  if (config.redisUrl === undefined) return openOutside(config, log, startPatienceMs)
  return openShared(config.databaseUrl, directUrl(config), log)
}

/** The address at which PostgreSQL itself answers; a server that is alone uses nothing else. */
function directUrl({ databaseUrl, databaseDirectUrl }: DatabaseLocation): string {
  return databaseDirectUrl ?? databaseUrl ?? ''
}

/** Opens an outside database that several servers share. */
async function openShared(url: string, direct: string, log: Log): Promise<LockableDatabase> {
  const outside = await checkOutside(url, log, startPatienceMs)
  const { description, pooled } = outside
  if (direct !== url) refuseOther(outside, await checkOutside(direct, log, startPatienceMs))
  if (pooled) refusePooler(await checkOutside(direct, log, startPatienceMs))
  const id = randomUUID()
  let lock: ServerLock
  const database = connectDatabase(
    {
      connection: { connectionString: url },
      description: pooled ? `${description}, through a pooler` : description,
      exclusive: false,
      pooled,
      sharedBy: id,
      beforeClose: () => lock.release(),
    },
    log,
  )
  lock = createSharedServers({ database, id, log })
  if (!pooled) return { database, lock, sessions: database }
  const limits = await missingLimits(database.pool)
  if (limits !== null)
    log.warn(`statements outside of transactions have no time limit behind the pooler; execute: ${limits}`)
  const migrating = connectDatabase(
    { connection: { connectionString: direct, max: 1 }, description, exclusive: false },
    log,
  )
  return { database, lock, sessions: migrating }
}

/** Throws when a pooler is where a session is needed. */
function refusePooler({ description, pooled }: Outside): void {
  if (!pooled) return
  throw new DatabaseUnavailableError(
    `${description} answers through a pooler of connections, such as PgBouncer.\n` +
      'Migrations, backups and the lock of a single server need a session: also set DATABASE_DIRECT_URL, ' +
      'the address of PostgreSQL itself.',
  )
}

/** Throws when the two addresses lead to different databases: one would be migrated, and the other used. */
function refuseOther(given: Outside, direct: Outside): void {
  if (given.identity === direct.identity) return
  throw new DatabaseUnavailableError(
    `DATABASE_DIRECT_URL and DATABASE_URL lead to different databases: ${direct.description} and ${given.description}.\n` +
      'Both must be addresses of the same one.',
  )
}

async function openOutside(
  config: DatabaseLocation,
  log: Log,
  patienceMs: number,
): Promise<LockableDatabase> {
  const url = directUrl(config)
  const outside = await checkOutside(url, log, patienceMs)
  refusePooler(outside)
  if (config.databaseUrl !== undefined && config.databaseUrl !== url) {
    // A pooler that is away keeps no one from a backup.
    const given = await checkOutside(config.databaseUrl, log, 0).catch(() => null)
    if (given) refuseOther(given, outside)
  }
  let lock: ServerLock
  const database = connectDatabase(
    {
      connection: { connectionString: url },
      description: outside.description,
      exclusive: () => lock.isHeld(),
      stop: () => lock.release(),
    },
    log,
  )
  lock = createServerLock({
    connection: { connectionString: url },
    log,
    ensureRunning: async () => {},
    term: database.term,
    onSilence: database.breakConnections,
  })
  return { database, lock, sessions: database }
}

/** `identity`: of the database, the same at each of its addresses. */
type Outside = { description: string; pooled: boolean; identity: string }

/** Waits until an outside database responds, and checks its version. */
async function checkOutside(url: string, log: Log, patienceMs: number): Promise<Outside> {
  const place = new URL(url)
  const shown = `${place.hostname || 'local socket'}${place.port && `:${place.port}`}${place.pathname}`
  const connection = { connectionString: url, connectionTimeoutMillis: 10_000 }
  const version = await awaitVersion(connection, shown, log, patienceMs)
  if (version.number < oldestVersion * 10_000) {
    throw new DatabaseUnavailableError(
      `The database at ${shown} is PostgreSQL ${version.text}; version ${oldestVersion} or newer is required.\n` +
        'Upgrade it, or unset DATABASE_URL for the embedded database.',
    )
  }
  return {
    description: `PostgreSQL ${version.text} at ${shown}`,
    pooled: version.pooled,
    identity: version.identity,
  }
}

/** Reads the version, retrying while the database does not respond. */
async function awaitVersion(
  connection: ClientConfig,
  shown: string,
  log: Log,
  patienceMs: number,
): Promise<Version> {
  const deadline = performance.now() + patienceMs
  for (let pause = 250; ; pause = Math.min(1_000, pause * 2)) {
    try {
      return await readVersion(connection, shown)
    } catch (error) {
      // Other errors, such as a wrong password, are not worth retrying.
      if (lostConnection((error as Error).cause) === undefined || performance.now() + pause > deadline)
        throw error
      log.warn({ err: error }, 'database not responding yet, waiting')
      await wait(pause)
    }
  }
}

type Version = { number: number; text: string; pooled: boolean; identity: string }

async function readVersion(connection: ClientConfig, shown: string): Promise<Version> {
  const client = new DatabaseClient(connection)
  try {
    await client.connect()
    const reply = await client.query<{ number: string; text: string; identity: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as text,
        system_identifier || ' ' || (select oid from pg_database where datname = current_database()) as identity
      from pg_control_system()`,
    )
    const row = reply.rows[0]
    const pooled = await isPooled(client)
    const text = row?.text.split(' ')[0] ?? ''
    return { number: Number(row?.number), text, pooled, identity: row?.identity ?? '' }
  } catch (cause) {
    throw new DatabaseUnavailableError(
      `No database responds at ${shown}: ${(cause as Error).message || (cause as NodeJS.ErrnoException).code}\n` +
        'Check DATABASE_URL and that the database is running, or unset DATABASE_URL for the embedded database.',
      { cause },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** Starts or adopts the embedded PostgreSQL, with our database in it, for as long as `stop` is not called. */
async function startEmbedded(dataDir: string, log: Log, settings: Record<string, string> = {}) {
  const server = await startEmbeddedServer({ dataDir, settings })
  const maintenance = { host: server.socketFolder, user: embeddedUser, database: 'postgres' }
  await createDatabase(maintenance)
  if (server.adopted) log.info('connected to the embedded database, which was already running')
  const bounding = setInterval(() => {
    truncateLog(join(dataDir, 'postgres.log')).catch((error: unknown) =>
      log.warn({ err: error }, 'failed to truncate the log of the embedded database'),
    )
  }, boundLogEveryMs)
  bounding.unref()
  return { server, maintenance, bounding }
}

/** Runs the embedded PostgreSQL for several servers on this machine, which connect to `url`. */
export async function shareEmbedded(
  dataDir: string,
  log: Log,
  connections: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { server, bounding } = await startEmbedded(dataDir, log, { max_connections: String(connections) })
  const where = new URLSearchParams({ host: server.socketFolder, user: embeddedUser })
  return {
    url: `postgresql:///${embeddedName}?${where}`,
    stop() {
      clearInterval(bounding)
      return server.stop()
    },
  }
}

async function openEmbedded(dataDir: string, log: Log): Promise<LockableDatabase> {
  const started = await startEmbedded(dataDir, log)
  const { maintenance, bounding } = started
  let { server } = started
  const version = await readVersion(maintenance, dataDir)
  const connection = { ...maintenance, database: embeddedName }
  let lock: ServerLock
  const database = connectDatabase(
    {
      connection,
      description: `PostgreSQL ${version.text}, embedded, in ${server.dataFolder}`,
      exclusive: () => lock.isHeld(),
      stop: async () => {
        clearInterval(bounding)
        await lock.release(() => server.stop())
      },
    },
    log,
  )
  lock = createServerLock({
    connection,
    log,
    // The database was stopped by the previous server, died, or restarted after one of its processes crashed.
    ensureRunning: async () => {
      server = await startEmbeddedServer({ dataDir })
    },
    term: database.term,
  })
  return { database, lock, sessions: database }
}

async function createDatabase(maintenance: ClientConfig): Promise<void> {
  const client = new DatabaseClient(maintenance)
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [embeddedName])
    if (found.rowCount === 0) await client.query(`create database ${embeddedName}`)
  } catch (error) {
    // Another starting server created it first.
    if (postgresError(error)?.code !== '42P04' && !isUniqueViolation(error)) throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Opens a database for reading while a server may be using it: an embedded database that was already running is left
 * running, otherwise it is stopped on close. `beside` is true when another process may be writing. Throws
 * DatabaseUnavailableError.
 */
export async function openForReading(
  place: DatabaseLocation,
  log: Log,
): Promise<{ database: Database; beside: boolean }> {
  if (place.databaseUrl !== undefined) return { database: await openDatabase(place, log), beside: true }
  const server = await startEmbeddedServer({ dataDir: place.dataDir })
  if (!server.adopted) return { database: await openDatabase(place, log), beside: false }
  const connection = { host: server.socketFolder, user: embeddedUser, database: embeddedName }
  const description = `PostgreSQL, embedded, in ${server.dataFolder}`
  return { database: connectDatabase({ connection, description, exclusive: false }, log), beside: true }
}

// The connections of a stopped server close shortly after it.
const longestMs = 2_000

/**
 * True when a server is using this database; it would continue with its in-memory state. Only a server that stays
 * connected for `patienceMs` counts.
 */
export async function hasRunningServer(pool: Pool, patienceMs = longestMs): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const found = await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'hansom'
        and pid <> pg_backend_pid() limit 1`,
    )
    if (found.rowCount === 0 && !(await hasSharedServers(pool))) return false
    if (performance.now() > deadline) return true
    await wait(50)
  }
}
