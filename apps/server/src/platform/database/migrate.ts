import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import type { Pool, PoolClient } from 'pg'
import { DatabaseUnavailableError } from './database-error.ts'

const lockKey = 4_260_782
const lockTimeoutS = 30

/**
 * Brings the tables up to this version, in one transaction. Servers that start together wait for each
 * other, and for 30 s for a table that something else uses. Throws DatabaseUnavailableError when a migration fails, when one would be skipped, or when the
 * database has seen a newer version.
 */
export async function migrate(database: { pool: Pool }): Promise<void> {
  const migrationsFolder = findMigrations()
  const client = await database.pool.connect()
  let failure: Error | undefined
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [lockKey])
    // A table that something else holds must not make everybody behind us wait without end.
    await client.query(`set lock_timeout = '${lockTimeoutS}s'`)
    await runMigrations(drizzle(client), { migrationsFolder })
    await checkComplete(client, migrationsFolder)
  } catch (error) {
    failure = error as Error
    if (error instanceof DatabaseUnavailableError) throw error
    const cause = failure.cause instanceof Error ? failure.cause : failure
    throw new DatabaseUnavailableError(
      `The database's tables could not be brought up to date: ${cause.message}`,
      {
        cause: error,
      },
    )
  } finally {
    // Its settings and its lock end with the connection.
    client.release(failure ?? true)
  }
}

/** The migrations lie beside the sources and beside the bundle, both below the server's own folder. */
function findMigrations(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'migrations', 'meta', '_journal.json'))) {
    if (dirname(folder) === folder)
      throw new DatabaseUnavailableError('The folder apps/server/migrations is missing.')
    folder = dirname(folder)
  }
  return join(folder, 'migrations')
}

/** The migrator passes over a migration older than the last one applied, which a merge can bring. */
async function checkComplete(client: PoolClient, migrationsFolder: string): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder })
  const reply = await client.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations')
  const applied = new Set(reply.rows.map((row) => row.hash))
  const missing = known.filter((migration) => !applied.has(migration.hash)).length
  const foreign = [...applied].filter((hash) => !known.some((migration) => migration.hash === hash)).length
  if (missing === 0 && foreign === 0) return
  throw new DatabaseUnavailableError(
    `The database does not fit this version: ${missing} migrations of it are missing there, ` +
      `${foreign} are unknown here. It was made by another version, or a migration was changed after it ran.`,
  )
}
