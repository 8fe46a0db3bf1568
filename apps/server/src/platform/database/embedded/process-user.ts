import { spawnSync } from 'node:child_process'
import { chmod, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseUnavailableError, externalDatabaseHint } from '../postgres-errors.ts'

/** The user the database runs as; `ids` is set only when that differs from this process's user. */
export type ProcessUser = { name: string; ids: { uid: number; gid: number } | undefined }

/**
 * PostgreSQL refuses to run as root: as root, uses the owner of the data, or `nobody` if no data exists yet. Any other
 * user runs it themselves.
 */
export async function chooseProcessUser(dataFolder: string): Promise<ProcessUser> {
  const owner = await stat(dataFolder).catch(() => undefined)
  const ownUid = process.getuid?.() ?? -1
  if (ownUid !== 0) {
    const name = userInfo().username
    if (owner !== undefined && owner.uid !== ownUid) {
      throw new DatabaseUnavailableError(
        `The database in ${dataFolder} belongs to another user (uid ${owner.uid}), not to ${name}. ` +
          `Start the server as that user or as root, or choose another DATA_DIR.\n${externalDatabaseHint}`,
      )
    }
    return { name, ids: undefined }
  }
  const accounts = await readAccounts()
  const wanted =
    owner !== undefined && owner.uid !== 0
      ? accounts.find((account) => account.uid === owner.uid)
      : accounts.find((account) => account.name === 'nobody')
  if (wanted === undefined) {
    throw new DatabaseUnavailableError(
      'PostgreSQL does not run as root, and this machine has no suitable account ' +
        `(${owner !== undefined && owner.uid !== 0 ? `the owner of ${dataFolder}, uid ${owner.uid}` : 'nobody'}). ` +
        `Start the server as an unprivileged user.\n${externalDatabaseHint}`,
    )
  }
  return { name: wanted.name, ids: { uid: wanted.uid, gid: wanted.gid } }
}

async function readAccounts() {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
}

/** True when the user may execute the file. Asks the system, since parent folders may be closed. */
export function canReach(user: ProcessUser, file: string): boolean {
  return asUser(user, 'test -x "$1"', file)
}

function asUser(user: ProcessUser, script: string, path: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', script, 'sh', path], { cwd: '/', stdio: 'ignore', ...user.ids }).status === 0
  )
}

/** Lets all users read a folder and run its executables. */
export async function makeReadable(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) return
  const mode = found.mode & 0o7777
  await chmod(path, found.isDirectory() || (mode & 0o100) !== 0 ? mode | 0o555 : mode | 0o444)
  if (!found.isDirectory()) return
  for (const name of await readdir(path)) await makeReadable(join(path, name))
}

/** True when a process with this id exists, owned by any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
