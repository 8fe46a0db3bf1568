import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readlink, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseUnavailableError, externalDatabaseHint } from './database-error.ts'
import { canReach, type ProcessUser } from './process-user.ts'

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
