import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readlink, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseUnavailableError, outsideDatabaseAdvice } from './database-error.ts'
import { canReach, type ProcessUser } from './process-user.ts'

/** Where a server started as root keeps what an unprivileged user must reach. */
export const openStateFolder = '/var/lib/hansom'

/**
 * The folder of the embedded database: `postgres` under the data folder. Started as root below a closed
 * folder (a home, say) the database's own user could not reach it: then that name is a link to a folder
 * under /var/lib/hansom, so that deleting the data folder still means starting afresh.
 */
export async function placeDataFolder(dataDir: string, user: ProcessUser): Promise<string> {
  await makeDataDir(dataDir)
  const name = join(dataDir, 'postgres')
  const found = await lstat(name).catch(() => undefined)
  if (found?.isSymbolicLink()) return readlink(name)
  if (user.ids === undefined || canReach(user, dataDir)) return name
  if (found === undefined && canReach(user, dirname(dataDir))) {
    // Only the data folder itself is closed: its user may go through it, and still not look around.
    await chmod(dataDir, ((await stat(dataDir)).mode & 0o7777) | 0o011)
    return name
  }
  if (found !== undefined) {
    throw new DatabaseUnavailableError(
      `The user ${user.name}, who runs the database, cannot reach ${name}: a folder above it is closed. ` +
        `Open it (chmod o+x), or start as an ordinary user.\n${outsideDatabaseAdvice}`,
    )
  }
  const moved = join(openStateFolder, randomBytes(6).toString('hex'), 'postgres')
  await makeOpenFolder(join(moved, '..'))
  await symlink(moved, name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readlink(name)
}

async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeOpenFolder(dataDir)
  } catch (cause) {
    throw new DatabaseUnavailableError(
      `The data folder ${dataDir} cannot be made: ${(cause as Error).message}\n` +
        'Set DATA_DIR to a folder that can be written.',
      { cause },
    )
  }
}

/**
 * Makes a folder, and those above it, that everybody may enter whatever the umask; one that is there stays
 * as it is. Not mkdir's own recursion, which never ends where nothing can be made (below /proc, say).
 */
export async function makeOpenFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory()) return
  if (dirname(folder) !== folder) await makeOpenFolder(dirname(folder))
  const made = await mkdir(folder).catch((error: NodeJS.ErrnoException) => error.code)
  // Made meanwhile by another server that starts.
  if (made === 'EEXIST' && (await stat(folder)).isDirectory()) return
  if (made !== undefined) throw new Error(`${made}: ${folder}`)
  await chmod(folder, 0o755)
}
