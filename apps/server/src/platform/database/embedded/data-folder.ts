import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseUnavailableError, externalDatabaseHint } from '../postgres-errors.ts'
import { canReach, isRunning, type ProcessUser } from './process-user.ts'

/** Where a server started as root stores files that an unprivileged user must reach. */
export const sharedStateFolder = '/var/lib/hansom'

/**
 * Returns the folder of the embedded database: `postgres` under the data folder. If the server runs as root below a
 * closed folder (a home, say), the database's user could not reach it; then that name is a symlink to a folder under
 * /var/lib/hansom, so deleting the data folder still resets the database.
 */
export async function prepareDataFolder(dataDir: string, user: ProcessUser): Promise<string> {
  await makeDataDir(dataDir)
  const name = join(dataDir, 'postgres')
  const found = await lstat(name).catch(() => undefined)
  if (found?.isSymbolicLink()) return readlink(name)
  if (user.ids === undefined || canReach(user, dataDir)) return name
  if (found === undefined && canReach(user, dirname(dataDir))) {
    // Only the data folder itself is closed: let the database's user pass through it without listing it.
    await chmod(dataDir, ((await stat(dataDir)).mode & 0o7777) | 0o011)
    return name
  }
  if (found !== undefined) {
    throw new DatabaseUnavailableError(
      `The user ${user.name}, which runs the database, cannot reach ${name}: a parent folder is closed. ` +
        `Open it (chmod o+x), or start as an unprivileged user.\n${externalDatabaseHint}`,
    )
  }
  const moved = join(sharedStateFolder, randomBytes(6).toString('hex'), 'postgres')
  await createSharedFolder(join(moved, '..'))
  await symlink(moved, name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readlink(name)
}

async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await createSharedFolder(dataDir)
  } catch (cause) {
    throw new DatabaseUnavailableError(
      `Cannot create the data folder ${dataDir}: ${(cause as Error).message}\n` +
        'Set DATA_DIR to a writable folder.',
      { cause },
    )
  }
}

/**
 * Creates a folder and its parents, accessible to all users regardless of the umask; leaves an existing folder unchanged.
 * Node's recursive mkdir is not used: it never returns where nothing can be created (below /proc, say).
 */
export async function createSharedFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory()) return
  if (dirname(folder) !== folder) await createSharedFolder(dirname(folder))
  const made = await mkdir(folder).catch((error: NodeJS.ErrnoException) => error.code)
  // Created meanwhile by another starting server.
  if (made === 'EEXIST' && (await stat(folder)).isDirectory()) return
  if (made !== undefined) throw new Error(`${made}: ${folder}`)
  await chmod(folder, 0o755)
}

/** The database's superuser; access is guarded only by its socket folder, which is closed to other users. */
export const embeddedUser = 'hansom'

/** Creates the database files if none exist. If two servers try concurrently, one wins. */
export async function initDataFolder(binaries: string, folder: string, user: ProcessUser): Promise<void> {
  const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (made !== undefined) return
  const partial = `${folder}.new-${process.pid}`
  try {
    await removeLeftOvers(folder)
    await mkdir(partial, { recursive: true, mode: 0o700 })
    if (user.ids !== undefined) await chown(partial, user.ids.uid, user.ids.gid)
  } catch (cause) {
    throw new DatabaseUnavailableError(
      `Cannot create the database in ${dirname(folder)}: ${(cause as Error).message}\n` +
        `Set DATA_DIR to a writable folder.\n${externalDatabaseHint}`,
      { cause },
    )
  }
  try {
    await runInitdb(binaries, partial, user)
    await rename(partial, folder)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    const another = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
    if (another === undefined) {
      throw new DatabaseUnavailableError(
        `${folder} is not empty and contains no database. Empty it, or choose another DATA_DIR.`,
      )
    }
  }
}

async function runInitdb(binaries: string, folder: string, user: ProcessUser): Promise<void> {
  const options = [
    ['-D', folder, '-U', embeddedUser, '--auth=trust', '--encoding=UTF8', '--no-locale'],
    // The same collation on every machine, independent of its locales.
    ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
  ].flat()
  const child = spawn(join(binaries, 'bin', 'initdb'), options, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user.ids,
  })
  const said: string[] = []
  child.stdout.on('data', (chunk) => said.push(String(chunk)))
  child.stderr.on('data', (chunk) => said.push(String(chunk)))
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(code === 0 ? undefined : `it exited with ${code}`))
  })
  if (failure === undefined) return
  const lastLines = said.join('').trim().split('\n').slice(-8).join('\n  ')
  throw new DatabaseUnavailableError(
    `The embedded PostgreSQL could not create its files in ${folder} (${failure}):\n  ${lastLines}\n${externalDatabaseHint}`,
  )
}

/** Removes the folders of attempts whose process no longer exists. */
async function removeLeftOvers(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.new-`
  for (const name of await readdir(dirname(folder)).catch(() => [])) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue
    await rm(join(dirname(folder), name), { recursive: true, force: true })
  }
}
