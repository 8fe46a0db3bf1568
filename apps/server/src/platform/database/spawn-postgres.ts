import { spawn } from 'node:child_process'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessUser } from './process-user.ts'

/** A PostgreSQL process that was just started; `ended` turns true when it exits. */
export type PostgresProcess = { hasExited(): boolean; output(): Promise<string> }

export type SpawnOptions = {
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
