import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import type { Pool, PoolClient } from 'pg'
import { DatabaseUnavailableError } from './postgres-errors.ts'
import { applySql, dropViews, findServerFolder } from './repeatable-sql.ts'

const lockKey = 4_260_782
const lockTimeoutS = 30

/**
 * Migrates the schema to this version: the migrations in one transaction, then the changed functions, triggers and views
 * of apps/server/sql in another. Servers that start together wait for each other, and up to 30
 * s for a table locked by another session. Throws DatabaseUnavailableError when a migration fails, when one would be
 * skipped, or when the database was migrated by a newer version.
 */
export async function migrate(database: { pool: Pool }): Promise<void> {
  const migrationsFolder = findServerFolder('migrations')
  const client = await database.pool.connect()
  let failure: Error | undefined
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [lockKey])
    // Waiting for a locked table would also block every later query on it.
    await client.query(`set lock_timeout = '${lockTimeoutS}s'`)
    const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
    const applied = await appliedMigrations(client)
    if (known.some((hash) => !applied.has(hash))) await dropViews(client)
    await runMigrations(drizzle(client), { migrationsFolder })
    checkComplete(known, await appliedMigrations(client))
    await applySql(client, findServerFolder('sql'), known.at(-1) ?? '')
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

async function appliedMigrations(client: PoolClient): Promise<Set<string>> {
  const reply = await client.query<{ found: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  )
  if (!reply.rows[0]?.found) return new Set()
  const { rows } = await client.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations')
  return new Set(rows.map(({ hash }) => hash))
}

/** The migrator skips a migration older than the last applied one, which a merge can introduce. */
function checkComplete(known: readonly string[], applied: ReadonlySet<string>): void {
  const missing = known.filter((hash) => !applied.has(hash)).length
  const foreign = [...applied].filter((hash) => !known.includes(hash)).length
  if (missing === 0 && foreign === 0) return
  throw new DatabaseUnavailableError(
    `The database does not match this version: ${missing} migrations are missing in it, ` +
      `${foreign} are unknown to this version. Another version created it, or a migration was changed after it ran.`,
  )
}
