import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { DatabaseUnavailableError, postgresError } from './postgres-errors.ts'

const lockKey = 4_260_782
const lockTimeoutMs = 30_000

/**
 * Migrates the schema to this version: the migrations in one transaction, then the changed functions, triggers and
 * views of apps/server/sql in another. Servers that start together wait for each other, and up to `lockMs` for a table
 * locked by another session. Throws DatabaseUnavailableError when a migration fails, when one would be skipped, or when
 * the database was migrated by a newer version.
 */
export async function migrate(
  database: { pool: Pool },
  { lockMs = lockTimeoutMs }: { lockMs?: number } = {},
): Promise<void> {
  const migrationsFolder = findServerFolder('migrations')
  const client = await database.pool.connect()
  let failure: Error | undefined
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [lockKey])
    // Waiting for a locked table would also block every later query on it.
    await client.query(`set lock_timeout = ${lockMs}`)
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

/** True on a database of an older version, which `migrate` would change. */
export async function isMigrationDue(pool: Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    const applied = await appliedMigrations(client)
    const known = readMigrationFiles({ migrationsFolder: findServerFolder('migrations') })
    return applied.size > 0 && known.some(({ hash }) => !applied.has(hash))
  } finally {
    client.release()
  }
}

/** The hashes of the applied migrations, oldest first. */
export async function appliedMigrations(client: PoolClient): Promise<Set<string>> {
  const reply = await client.query<{ found: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  )
  if (!reply.rows[0]?.found) return new Set()
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at',
  )
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

// Functions and views are files: <name>.sql defines the function of that name and every trigger that calls it,
// views/<name>.sql a view. Like the migrator's own table, the table of applied files is not a described table.
const appliedTable = 'drizzle.repeatable_sql'
const viewsFolder = 'views/'

/**
 * Applies the SQL files whose text changed, or all of them after a new migration, since the columns they were planned
 * with may have changed. Drops the functions and views whose file was removed. Runs in one transaction.
 */
export async function applySql(client: ClientBase, folder: string, lastMigration: string): Promise<void> {
  await client.query(`create table if not exists ${appliedTable} (name text primary key, hash text not null)`)
  const reply = await client.query<{ name: string; hash: string }>(`select name, hash from ${appliedTable}`)
  const applied = new Map(reply.rows.map(({ name, hash }) => [name, hash]))
  const files = listFiles(folder)
  const hashOf = (text: string) => createHash('sha256').update(lastMigration).update(text).digest('hex')
  const changed = files.filter(({ name, text }) => applied.get(name) !== hashOf(text))
  const removed = [...applied.keys()].filter((name) => !files.some((file) => file.name === name))
  if (changed.length === 0 && removed.length === 0) return
  await inTransaction(client, async () => {
    // Functions may call each other in any order.
    await client.query('set local check_function_bodies = off')
    for (const name of removed) {
      await dropObject(client, name)
      await client.query(`delete from ${appliedTable} where name = $1`, [name])
    }
    for (const { name, text } of changed) {
      try {
        if (name.startsWith(viewsFolder)) {
          await dropObject(client, name)
          await client.query(text)
        } else await replaceFunction(client, name, text)
      } catch (cause) {
        throw new Error(`sql/${name}.sql: ${(cause as Error).message}`, { cause })
      }
      await client.query(
        `insert into ${appliedTable} values ($1, $2) on conflict (name) do update set hash = excluded.hash`,
        [name, hashOf(text)],
      )
    }
  })
}

/** Finds apps/server/migrations or apps/server/sql, which are above the sources and above the bundle. */
export function findServerFolder(name: 'migrations' | 'sql'): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'migrations', 'meta', '_journal.json'))) {
    if (dirname(folder) === folder)
      throw new DatabaseUnavailableError('The folder apps/server/migrations is missing.')
    folder = dirname(folder)
  }
  return join(folder, name)
}

/** Drops all views before migrations, which could not change a column that a view reads. applySql creates them again. */
export async function dropViews(client: ClientBase): Promise<void> {
  const found = await client.query<{ found: boolean }>(`select to_regclass($1) is not null as found`, [
    appliedTable,
  ])
  if (!found.rows[0]?.found) return
  await inTransaction(client, async () => {
    const reply = await client.query<{ name: string }>(
      `delete from ${appliedTable} where starts_with(name, $1) returning name`,
      [viewsFolder],
    )
    for (const { name } of reply.rows) await dropObject(client, name)
  })
}

/** Lists functions first, then views, which may call them. */
function listFiles(folder: string): { name: string; text: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.sql'),
  )
  const isView = (file: string) => Number(file.startsWith(viewsFolder))
  return files
    .sort((a, b) => isView(a) - isView(b) || (a < b ? -1 : 1))
    .map((file) => ({
      name: file.slice(0, -'.sql'.length),
      text: readFileSync(join(folder, file), 'utf8'),
    }))
}

/** Replaces a function and its triggers; drops the previous version where PostgreSQL cannot replace it. */
async function replaceFunction(client: ClientBase, name: string, text: string): Promise<void> {
  const before = await findFunctions(client, name)
  await dropTriggers(client, before)
  await client.query('savepoint before_file')
  try {
    await client.query(text)
  } catch (error) {
    // The return type or the name of a parameter has changed.
    if (postgresError(error)?.code !== '42P13') throw error
    await client.query('rollback to savepoint before_file')
    for (const old of before) await client.query(`drop function ${old}`)
    await client.query(text)
  }
  const after = await findFunctions(client, name)
  if (after.length === 0) throw new Error(`does not create the function ${name}`)
  // The parameters have changed, which creates a second function of the same name.
  if (after.length > 1) for (const old of before) await client.query(`drop function ${old}`)
}

async function dropObject(client: ClientBase, name: string): Promise<void> {
  if (name.startsWith(viewsFolder)) {
    await client.query(`drop view if exists "${name.slice(viewsFolder.length)}"`)
    return
  }
  const functions = await findFunctions(client, name)
  await dropTriggers(client, functions)
  for (const found of functions) await client.query(`drop function ${found}`)
}

/** Returns the signatures of the functions with a name, such as `report_day(bigint,text)`. */
async function findFunctions(client: ClientBase, name: string): Promise<string[]> {
  const reply = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
      where proname = $1 and pronamespace = current_schema()::regnamespace`,
    [name],
  )
  return reply.rows.map(({ signature }) => signature)
}

/** Drops the triggers that call the functions. Those of partitions are dropped with their parent's. */
async function dropTriggers(client: ClientBase, functions: readonly string[]): Promise<void> {
  const reply = await client.query<{ trigger: string }>(
    `select format('%I on %s', tgname, tgrelid::regclass) as trigger from pg_trigger
      where tgfoid = any($1::regprocedure[]) and not tgisinternal and tgparentid = 0`,
    [functions],
  )
  for (const { trigger } of reply.rows) await client.query(`drop trigger ${trigger}`)
}

async function inTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
