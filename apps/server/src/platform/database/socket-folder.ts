import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseUnavailableError } from './database-error.ts'
import { readLock } from './postmaster.ts'
import type { ProcessUser } from './process-user.ts'

/**
 * Creates the folder for the socket of a data folder. Its path is short because PostgreSQL refuses more than 107 bytes,
 * and it is closed to other users because any user who reaches the socket gets access.
 */
export async function prepareSocketFolder(dataFolder: string, user: ProcessUser): Promise<string> {
  const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12)
  const folder = `/tmp/hansom-${hash}`
  const owner = user.ids?.uid ?? process.getuid?.()
  try {
    await mkdir(folder, { mode: 0o700 })
    if (user.ids !== undefined) await chown(folder, user.ids.uid, user.ids.gid)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new DatabaseUnavailableError(
        `Cannot create the database's socket folder ${folder}: ${(cause as Error).message}`,
        { cause },
      )
    }
  }
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new DatabaseUnavailableError(
      `The database's socket folder ${folder} belongs to another user or is open to others; remove it.`,
    )
  }
  await readLock(join(folder, '.s.PGSQL.5432.lock'))
  return folder
}
