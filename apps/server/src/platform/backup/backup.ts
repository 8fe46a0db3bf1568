import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { findServerFolder, migrate } from '../database/migrate.ts'
import { installJobs } from '../jobs/jobs.ts'
import { dumpDatabase, dumpShape, loadDump } from './dump.ts'

/** A reason not to back up or restore; `message` is printed as is and contains the fix. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

const format = 1
const manifestName = 'backup.json'
const manifestShape = z.object({
  format: z.literal(format),
  /** Of the server that made it. */
  version: z.string(),
  at: z.string(),
  database: dumpShape,
  /** Files and folders of the data folder. */
  files: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifestShape>

/** What belongs to an installation besides its database. */
const kept = ['files', 'maps', 'auth-secret', 'vapid-keys.json', 'simulator-password']

/**
 * Backs up the database and the files under `dataDir` into a new folder, while a server may go on. The folder gets its
 * name when it is complete. Throws BackupError.
 */
export async function createBackup(
  { database, dataDir, version }: { database: Pick<Database, 'pool'>; dataDir: string; version: string },
  folder: string,
): Promise<Manifest> {
  if (await exists(folder)) throw new BackupError(`${folder} exists already. Choose another folder.`)
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  // It holds secrets and everyone's data.
  await mkdir(join(partial, 'database'), { recursive: true, mode: 0o700 })
  await chmod(partial, 0o700)
  const at = new Date().toISOString()
  // Before and after the database: what its rows name was stored before them, and removed after them.
  await mirror(dataDir, join(partial, 'data'))
  const dump = await dumpDatabase(database.pool, join(partial, 'database'))
  const files = await mirror(dataDir, join(partial, 'data'))
  const manifest: Manifest = { format, version, at, database: dump, files }
  await writeFile(join(partial, manifestName), JSON.stringify(manifest, null, 1), { mode: 0o600 })
  await rename(partial, folder)
  return manifest
}

/** Copies what is new or changed, and removes what no longer exists. Returns the names at the top. */
async function mirror(from: string, to: string): Promise<string[]> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const names = await namesIn(from)
  const present = kept.filter((name) => names.includes(name))
  for (const name of present) await mirrorOne(join(from, name), join(to, name))
  for (const name of await namesIn(to))
    if (!present.includes(name)) await rm(join(to, name), { recursive: true, force: true })
  return present
}

async function mirrorOne(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => null)
  if (found === null) return rm(to, { recursive: true, force: true })
  if (!found.isDirectory()) {
    const copy = await stat(to).catch(() => null)
    if (copy?.size === found.size && copy.mtimeMs >= found.mtimeMs) return
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    return copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  await mkdir(to, { recursive: true, mode: found.mode & 0o777 })
  const names = await namesIn(from)
  for (const name of names) if (name !== '.incoming') await mirrorOne(join(from, name), join(to, name))
  for (const name of await namesIn(to))
    if (!names.includes(name)) await rm(join(to, name), { recursive: true, force: true })
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Reads and checks what a backup says about itself. Throws BackupError. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => null)
  if (text === null) throw new BackupError(`${folder} is no complete backup: it has no ${manifestName}.`)
  const { format: given } = parsed(text) as { format?: unknown }
  if (typeof given === 'number' && given > format)
    throw new BackupError('A newer version made this backup. Install that version to restore it.')
  const manifest = manifestShape.safeParse(parsed(text))
  if (!manifest.success) throw new BackupError(`${join(folder, manifestName)} is damaged.`)
  const { database, files } = manifest.data
  const parts = [
    ...database.tables.map(({ file }) => `database/${file}`),
    ...files.map((name) => `data/${name}`),
  ]
  for (const part of parts)
    if (!(await exists(join(folder, part))))
      throw new BackupError(`${folder} is incomplete: ${part} is missing.`)
  return manifest.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** What a restore would overwrite: the files of a data folder. */
export async function filesInTheWay(dataDir: string): Promise<string[]> {
  const names = await namesIn(dataDir)
  const used = await Promise.all(
    kept
      .filter((name) => names.includes(name))
      .map(async (name) => ((await isEmpty(join(dataDir, name))) ? [] : [name])),
  )
  return used.flat()
}

/** A folder without a file in it. A server creates some at once. */
async function isEmpty(path: string): Promise<boolean> {
  if (!(await stat(path)).isDirectory()) return false
  const parts = await Promise.all((await namesIn(path)).map((name) => isEmpty(join(path, name))))
  return parts.every(Boolean)
}

/** Whether a database has no tables. */
export async function isEmptyDatabase({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_class where relkind in ('r', 'p')
      and relnamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss', 'drizzle')) limit 1`,
  )
  return rowCount === 0
}

/**
 * Restores a backup: replaces the database and the files that it has. No server may be running. A failed restore leaves a
 * database that must be restored again. Throws BackupError.
 */
export async function restoreBackup(
  { database, dataDir }: { database: Database; dataDir: string },
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const { pool } = database
  const { migrations } = manifest.database
  const own = readMigrationFiles({ migrationsFolder: findServerFolder('migrations') })
  if (migrations.some((hash, index) => own[index]?.hash !== hash))
    throw new BackupError(
      `This version does not know the database of the backup, which version ${manifest.version} made. Install that version, ` +
        'restore with it, and then upgrade.',
    )
  await pool.query('drop schema if exists pgboss, drizzle cascade')
  await pool.query('drop schema public cascade')
  await pool.query('create schema public')
  await applyMigrations(database, migrations.length)
  await installJobs(database)
  const client = await pool.connect()
  try {
    await loadDump(client, join(folder, 'database'), manifest.database)
  } catch (error) {
    throw new BackupError(`The backup cannot be read completely: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    client.release(true)
  }
  await migrate(database)
  for (const name of kept) await rm(join(dataDir, name), { recursive: true, force: true })
  for (const name of manifest.files) await mirrorOne(join(folder, 'data', name), join(dataDir, name))
}

/** Makes the schema after the first `count` migrations, in an empty database. */
async function applyMigrations({ pool }: Pick<Database, 'pool'>, count: number): Promise<void> {
  const some = mkdtempSync(join(tmpdir(), 'hansom-migrations-'))
  try {
    cpSync(findServerFolder('migrations'), some, { recursive: true })
    const journalFile = join(some, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: object[] }
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
    await runMigrations(drizzle(pool), { migrationsFolder: some })
  } finally {
    rmSync(some, { recursive: true, force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
