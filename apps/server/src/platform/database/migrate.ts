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
 * Migrates the schema to this version in one transaction. Servers that start together wait for each other, and up to 30
 * s for a table locked by another session. Throws DatabaseUnavailableError when a migration fails, when one would be
 * skipped, or when the database was migrated by a newer version.
 */
export async function migrate(database: { pool: Pool }): Promise<void> {
  const migrationsFolder = findMigrations()
  const client = await database.pool.connect()
  let failure: Error | undefined
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [lockKey])
    // Waiting for a locked table would also block every later query on it.
    await client.query(`set lock_timeout = '${lockTimeoutS}s'`)
    await runMigrations(drizzle(client), { migrationsFolder })
    await checkComplete(client, migrationsFolder)
  } catch (error) {
    failure = error as Error
    if (error instanceof DatabaseUnavailableError) throw error
    const cause = failure.cause instanceof Error ? failure.cause : failure
    throw new DatabaseUnavailableError(`The database migration failed: ${cause.message}`, {
      cause: error,
    })
  } finally {
    // Closing the connection drops its settings and its lock.
    client.release(failure ?? true)
  }
}

/** Finds the migrations, which are next to the sources and next to the bundle, both below the server's folder. */
function findMigrations(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'migrations', 'meta', '_journal.json'))) {
    if (dirname(folder) === folder)
      throw new DatabaseUnavailableError('The folder apps/server/migrations is missing.')
    folder = dirname(folder)
  }
  return join(folder, 'migrations')
}

/** The migrator skips a migration older than the last applied one, which a merge can introduce. */
async function checkComplete(client: PoolClient, migrationsFolder: string): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder })
  const reply = await client.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations')
  const applied = new Set(reply.rows.map((row) => row.hash))
  const missing = known.filter((migration) => !applied.has(migration.hash)).length
  const foreign = [...applied].filter((hash) => !known.some((migration) => migration.hash === hash)).length
  if (missing === 0 && foreign === 0) return
  throw new DatabaseUnavailableError(
    `The database does not match this version: ${missing} migrations are missing in it, ` +
      `${foreign} are unknown to this version. Another version created it, or a migration was changed after it ran.`,
  )
}
