import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillLargeCity } from '../apps/server/src/features/large-city/fill-city.ts'
import { readSettings } from '../apps/server/src/features/settings/service.ts'
import { connectDatabase, type Database } from '../apps/server/src/platform/database/database.ts'
import { embeddedUser } from '../apps/server/src/platform/database/embedded/data-folder.ts'
import { startEmbeddedServer } from '../apps/server/src/platform/database/embedded/embedded-server.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'
import { installJobs } from '../apps/server/src/platform/jobs/jobs.ts'
import { silentLog } from '../apps/server/src/platform/log/log.ts'

export interface SeededDatabase {
  database: Database
  /** Closes the connections, and stops the server if this process started it. The database stays for the next run. */
  close(): Promise<void>
}

export interface SeededSize {
  bookings: number
  users: number
}

const full: SeededSize = { bookings: 1_000_000, users: 50_000 }
const lockKey = 4_260_799

/**
 * Opens a database with a large city (`npm run seed`), on the embedded server with its usual settings, in a folder
 * under the temporary one. It is filled once and reused: a later run migrates it like a server start, and refills it
 * when that fails. Concurrent runs wait for each other's filling.
 */
export async function openSeededDatabase(size: SeededSize = full): Promise<SeededDatabase> {
  const dataDir = join(tmpdir(), `hansom-seeded-${size.bookings}-${size.users}-${await seedingHash()}`)
  await mkdir(dataDir, { recursive: true })
  // The database may run as another user.
  await chmod(dataDir, 0o755)
  const server = await startEmbeddedServer({ dataDir })
  const connect = (name: string) => {
    const connection = { host: server.socketFolder, user: embeddedUser, database: name }
    return connectDatabase({ connection, description: name, exclusive: true }, silentLog())
  }
  const maintenance = connect('postgres')
  const client = await maintenance.pool.connect()
  await client.query('set statement_timeout = 0')
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const names = await client.query<{ datname: string }>(`select datname from pg_database`)
    const isThere = names.rows.some(({ datname }) => datname === 'seeded')
    if (!(isThere && (await isUpToDate(connect('seeded'))))) {
      await client.query('drop database if exists seeded with (force)')
      await client.query('drop database if exists seeding with (force)')
      await client.query('create database seeding')
      await fill(connect('seeding'), size)
      await client.query('alter database seeding rename to seeded')
    }
  } finally {
    client.release(true)
    await maintenance.close()
  }
  const database = connect('seeded')
  return {
    database,
    close: async () => {
      await database.close()
      if (!server.adopted) await server.stop()
    },
  }
}

async function isUpToDate(database: Database): Promise<boolean> {
  try {
    await migrate(database)
    return true
  } catch (error) {
    console.error(`the stored database cannot be migrated: ${String(error)}`)
    return false
  } finally {
    await database.close()
  }
}

async function fill(database: Database, size: SeededSize): Promise<void> {
  try {
    await migrate(database)
    await installJobs(database)
    const settings = await readSettings(database.db)
    const told = (line: string) => console.error(`seeding: ${line}`)
    await fillLargeCity(database, { ...size, settings, now: Date.now(), onProgress: told })
  } finally {
    await database.close()
  }
}

/** Hashes the seeding code: other code generates another city. */
async function seedingHash(): Promise<string> {
  const folder = fileURLToPath(new URL('../apps/server/src/features/large-city/', import.meta.url))
  const hash = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) {
    if (!name.includes('.test.')) hash.update(await readFile(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 12)
}
