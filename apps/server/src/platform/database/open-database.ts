import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Log } from '../log/log.ts'
import { connectDatabase, type Database } from './database.ts'
import { DatabaseUnavailableError } from './database-error.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import { embeddedUser } from './init-data-folder.ts'
import { takeServerLock, type ServerLock } from './server-lock.ts'

const oldestVersion = 15
export const embeddedName = 'hansom'

/** An outside database, or none: then the embedded one runs under `dataDir`. */
export type DatabasePlace = { databaseUrl: string | undefined; dataDir: string }

/**
 * Opens the database the configuration asks for: the one at `databaseUrl`, or the embedded one under
 * `dataDir`, started or adopted. Throws DatabaseUnavailableError whose message says what to do.
 */
export async function openDatabase(config: DatabasePlace, log: Log): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(config.dataDir, log)
    : openOutside(config.databaseUrl, log)
}

async function openOutside(url: string, log: Log): Promise<Database> {
  const place = new URL(url)
  const shown = `${place.hostname || 'local socket'}${place.port && `:${place.port}`}${place.pathname}`
  const version = await readVersion({ connectionString: url, connectionTimeoutMillis: 10_000 }, shown)
  if (version.number < oldestVersion * 10_000) {
    throw new DatabaseUnavailableError(
      `The database at ${shown} is PostgreSQL ${version.text}; version ${oldestVersion} or newer is needed.\n` +
        'Upgrade it, or leave DATABASE_URL out for the embedded database.',
    )
  }
  const description = `PostgreSQL ${version.text} at ${shown}`
  return connectDatabase({ connection: { connectionString: url }, description, exclusive: false }, log)
}

async function readVersion(
  connection: ClientConfig,
  shown: string,
): Promise<{ number: number; text: string }> {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const reply = await client.query<{ number: string; text: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
    )
    const row = reply.rows[0]
    return { number: Number(row?.number), text: row?.text.split(' ')[0] ?? '' }
  } catch (cause) {
    throw new DatabaseUnavailableError(
      `No database answers at ${shown}: ${(cause as Error).message || (cause as NodeJS.ErrnoException).code}\n` +
        'Check DATABASE_URL and that the database runs, or leave it out for the embedded database.',
      { cause },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

async function openEmbedded(dataDir: string, log: Log): Promise<Database> {
  let server = await startEmbeddedServer({ dataDir })
  const maintenance = { host: server.socketFolder, user: embeddedUser, database: 'postgres' }
  let closing = false
  let lock: ServerLock

  // The database died under us, or was restarted by itself after one of its processes crashed.
  const recover = async (reason: Error) => {
    log.error({ err: reason }, 'the embedded database went away, starting it again')
    while (!closing) {
      try {
        server = await startEmbeddedServer({ dataDir })
        lock = await takeServerLock(maintenance, dataDir, recover)
        log.info('the embedded database serves again')
        return
      } catch (error) {
        log.error({ err: error }, 'the embedded database does not start, trying again in 2 s')
        await wait(2_000)
      }
    }
  }

  lock = await takeServerLock(maintenance, dataDir, recover)
  await createDatabase(maintenance)
  const version = await readVersion(maintenance, dataDir)
  if (server.adopted) log.info('took over the embedded database that was running already')
  return connectDatabase(
    {
      connection: { host: server.socketFolder, user: embeddedUser, database: embeddedName },
      description: `PostgreSQL ${version.text}, embedded, in ${server.dataFolder}`,
      exclusive: true,
      stop: async () => {
        closing = true
        await lock.release()
        await server.stop()
      },
    },
    log,
  )
}

async function createDatabase(maintenance: ClientConfig): Promise<void> {
  const client = new Client(maintenance)
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [embeddedName])
    if (found.rowCount === 0) await client.query(`create database ${embeddedName}`)
  } finally {
    await client.end()
  }
}
