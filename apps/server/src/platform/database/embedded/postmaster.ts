import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { DatabaseUnavailableError } from '../postgres-errors.ts'
import { embeddedUser } from './data-folder.ts'
import type { ProcessUser } from './process-user.ts'

/** The contents of a running PostgreSQL's pid file. */
type Postmaster = { pid: number; socketFolder: string }

/** Finds the PostgreSQL process that serves this folder, if any. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = await readLock(join(folder, 'postmaster.pid'))
  return lines === undefined ? undefined : { pid: Number(lines[0]), socketFolder: lines[4] ?? '' }
}

/**
 * Reads the lines of a PostgreSQL lock file. After a machine crash the file may name an unrelated process, which
 * PostgreSQL would take for a running server; such a file is removed.
 */
async function readLock(file: string): Promise<string[] | undefined> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if ((await commandOf(pid)).includes('postgres')) return lines
  await rm(file, { force: true })
  return undefined
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return String(spawnSync('ps', ['-p', String(pid), '-o', 'command=']).stdout)
}

type ServerReply = { folder: string } | { waiting: string }

/** Asks the server on a socket which folder it serves; returns `waiting` with the reason while it cannot respond. */
export async function queryServer(socketFolder: string): Promise<ServerReply> {
  const client = new Client({ host: socketFolder, user: embeddedUser, database: 'postgres' })
  // A server that goes down during the query also emits an error; the rejected call already reports it.
  client.on('error', () => {})
  try {
    await client.connect()
    const reply = await client.query<{ data_directory: string }>('show data_directory')
    return { folder: reply.rows[0]?.data_directory ?? '' }
  } catch (error) {
    return { waiting: (error as Error).message }
  } finally {
    await client.end().catch(() => {})
  }
}

/** A PostgreSQL process that was just started; `ended` turns true when it exits. */
export type PostgresProcess = { hasExited(): boolean; output(): Promise<string> }

type SpawnOptions = {
  binaries: string
  folder: string
  logFile: string
  settings: Record<string, string>
  user: ProcessUser
  /** Survives a kill of this process and its group. */
  detached: boolean
}

const logLimitBytes = 10_000_000

/**
 * Truncates the log of an embedded server when it exceeds the limit. The server opens it in append mode, so it
 * continues at the start.
 */
export async function truncateLog(logFile: string, limitBytes = logLimitBytes): Promise<void> {
  const written = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (written > limitBytes) await truncate(logFile)
}

export async function spawnPostgres(options: SpawnOptions): Promise<PostgresProcess> {
  const { logFile, folder, user, detached } = options
  await truncateLog(logFile)
  const logStart = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  const log = await open(logFile, 'a', 0o600)
  const named = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(options.binaries, 'bin', 'postgres'), ['-D', folder, ...named], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log.fd, log.fd],
    detached,
    ...user.ids,
  })
  let failure: string | undefined
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('exit', (code, signal) => {
    failure = `it exited with ${code ?? signal}`
  })
  child.unref()
  await log.close()
  return {
    hasExited: () => failure !== undefined,
    output: async () =>
      `${(await readFile(logFile)).subarray(logStart).toString('utf8').trim()}\n${failure ?? ''}`,
  }
}

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
