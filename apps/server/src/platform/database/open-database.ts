import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientConfig, Pool } from 'pg'
import { isClusterRunning } from '../cluster/control.ts'
import type { Log } from '../log/log.ts'
import { connectDatabase, type Database, DatabaseClient } from './database.ts'
import { embeddedUser } from './embedded/data-folder.ts'
import { startEmbeddedServer } from './embedded/embedded-server.ts'
import { findPostmaster, truncateLog } from './embedded/postmaster.ts'
import {
  type DatabaseLocation,
  directUrl,
  type LockableDatabase,
  openOutside,
  openShared,
  readVersion,
  startPatienceMs,
} from './open-outside.ts'
import { DatabaseUnavailableError, isUniqueViolation, postgresError } from './postgres-errors.ts'
import { createServerLock, lockHolder, type ServerLock } from './server-lock.ts'
import { countSharedServers } from './shared-servers.ts'

export const embeddedName = 'hansom'

const boundLogEveryMs = 60_000
const watchEveryMs = 500
/** Longest pause after a database could not be started, ms. */
const longestPauseMs = 30_000

/**
 * Opens the configured database for a command: the one at `databaseUrl`, or the embedded one under `dataDir`, started
 * or adopted, which no server may be using. Throws DatabaseUnavailableError with the fix.
 */
export async function openDatabase(config: DatabaseLocation, log: Log): Promise<Database> {
  if (config.databaseUrl !== undefined) return (await openOutside(config, log, 0)).database
  const { database, lock } = await openEmbedded(config.dataDir, log)
  let user = await lock.tryTake()
  if (user === null && (await countSharedServers(database.pool)) > 0) {
    user = 'the servers of npm run cluster'
    // They go on, and so does their database.
    await lock.release()
  }
  if (user === null) return database
  await database.close()
  throw inUse(config.dataDir, user)
}

const inUse = (dataDir: string, holder: string) =>
  new DatabaseUnavailableError(
    `The data folder ${dataDir} is in use by another server: ${holder}.\n` +
      'Stop that server first, or set DATA_DIR to another folder for this one.',
  )

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

/**
 * Runs the embedded PostgreSQL for several servers on this machine, which connect to `url`; started again when it ends. Throws
 * DatabaseUnavailableError while a server that is alone uses it: that one would stop it at its end.
 */
export async function shareEmbedded(
  dataDir: string,
  log: Log,
  connections: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const settings = { max_connections: String(connections) }
  const { server, maintenance, bounding } = await startEmbedded(dataDir, log, settings)
  const holder = server.adopted ? await lockHolder({ ...maintenance, database: embeddedName }) : null
  if (holder !== null) {
    clearInterval(bounding)
    throw inUse(dataDir, holder)
  }
  const where = new URLSearchParams({ host: server.socketFolder, user: embeddedUser })
  const stopping = new AbortController()
  const watch = async () => {
    let pauseMs = watchEveryMs
    while (await wait(pauseMs, true, { signal: stopping.signal }).catch(() => false)) {
      if ((await findPostmaster(server.dataFolder)) !== undefined) continue
      log.warn('the database ended, starting it again')
      pauseMs = await startEmbeddedServer({ dataDir, settings }).then(
        () => watchEveryMs,
        (err: unknown) => {
          log.error({ err }, 'failed to start the database, will retry')
          return Math.min(longestPauseMs, pauseMs * 2)
        },
      )
    }
  }
  const watched = watch()
  return {
    url: `postgresql:///${embeddedName}?${where}`,
    async stop() {
      clearInterval(bounding)
      stopping.abort()
      await watched
      await server.stop()
    },
  }
}

async function openEmbedded(dataDir: string, log: Log): Promise<LockableDatabase> {
  // Its servers would lose the database when this one stops it.
  if (await isClusterRunning(dataDir)) throw inUse(dataDir, 'npm run cluster')
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
  const isRunning = (await findPostmaster(join(place.dataDir, 'postgres'))) !== undefined
  // The cluster starts it with settings of its own.
  if (!isRunning && (await isClusterRunning(place.dataDir)))
    throw new DatabaseUnavailableError(
      'The database of the running cluster is down. The cluster starts it again as soon as it can: look at its log.',
    )
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
    if (found.rowCount === 0 && (await countSharedServers(pool)) === 0) return false
    if (performance.now() > deadline) return true
    await wait(50)
  }
}
