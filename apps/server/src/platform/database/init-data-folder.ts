import { spawn } from 'node:child_process'
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseUnavailableError, externalDatabaseHint } from './database-error.ts'
import { isRunning } from './process-running.ts'
import type { ProcessUser } from './process-user.ts'

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
