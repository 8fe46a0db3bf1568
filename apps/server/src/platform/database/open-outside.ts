import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Log } from '../log/log.ts'
import { connectDatabase, type Database, DatabaseClient } from './database.ts'
import { isPooled, missingLimits } from './pooler.ts'
import { DatabaseUnavailableError, lostConnection } from './postgres-errors.ts'
import { createServerLock, type ServerLock } from './server-lock.ts'
import { createSharedServers } from './shared-servers.ts'

const oldestVersion = 15
/** How long a starting server waits for an external database that does not respond. */
export const startPatienceMs = 60_000

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

/** The address at which PostgreSQL itself answers; a server that is alone uses nothing else. */
export function directUrl({ databaseUrl, databaseDirectUrl }: DatabaseLocation): string {
  return databaseDirectUrl ?? databaseUrl ?? ''
}

/** Opens an outside database that several servers share. */
export async function openShared(url: string, direct: string, log: Log): Promise<LockableDatabase> {
  const outside = await checkOutside(url, log, startPatienceMs)
  const itself = direct === url ? outside : await checkOutside(direct, log, startPatienceMs)
  refuseOther(outside, itself)
  const { description, pooled } = outside
  if (pooled) refusePooler(itself)
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
  const isUnknown = given.identity === null || direct.identity === null
  if (isUnknown || given.identity === direct.identity) return
  throw new DatabaseUnavailableError(
    `DATABASE_DIRECT_URL and DATABASE_URL lead to different databases: ${direct.description} and ${given.description}.\n` +
      'Both must be addresses of the same one.',
  )
}

/** Opens an outside database for a command or for a server that is alone. */
export async function openOutside(
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
type Outside = { description: string; pooled: boolean; identity: string | null }

/** Waits until an outside database responds, and checks its version. */
async function checkOutside(url: string, log: Log, patienceMs: number): Promise<Outside> {
  const place = new URL(url)
  const socket = place.searchParams.get('host') ?? 'local socket'
  const shown = `${place.hostname || socket}${place.port && `:${place.port}`}${place.pathname}`
  const connection = { connectionString: url, connectionTimeoutMillis: 10_000 }
  const version = await awaitVersion(connection, shown, log, patienceMs)
  if (version.number < oldestVersion * 10_000) {
    throw new DatabaseUnavailableError(
      `The database at ${shown} is PostgreSQL ${version.text}; version ${oldestVersion} or newer is required.\n` +
        'Upgrade it, or unset DATABASE_URL for the embedded database.',
    )
  }
  // Behind a socket without a pooler, the data are on this machine.
  const isSocket = place.hostname === '' && socket.startsWith('/')
  const folder = isSocket && !version.pooled ? version.folder : null
  return {
    description: `PostgreSQL ${version.text} ${folder === null ? `at ${shown}` : `in ${folder}`}`,
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

type Version = {
  number: number
  text: string
  pooled: boolean
  identity: string | null
  folder: string | null
}

/**
 * Reads the version of a database; `identity` and the data `folder` are null where PostgreSQL does not say them. Throws
 * DatabaseUnavailableError.
 */
export async function readVersion(connection: ClientConfig, shown: string): Promise<Version> {
  const client = new DatabaseClient(connection)
  try {
    await client.connect()
    const reply = await client.query<{ number: string; text: string; folder: string | null }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as text,
        (select setting from pg_settings where name = 'data_directory') as folder`,
    )
    const row = reply.rows[0]
    const pooled = await isPooled(client)
    // Some services forbid the question.
    const found = await client
      .query<{ identity: string }>(
        `select system_identifier || ' ' || (select oid from pg_database where datname = current_database()) as identity
          from pg_control_system()`,
      )
      .catch(() => null)
    const text = row?.text.split(' ')[0] ?? ''
    return {
      number: Number(row?.number),
      text,
      pooled,
      identity: found?.rows[0]?.identity ?? null,
      folder: row?.folder ?? null,
    }
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
