import { readFile, rmdir } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnavailableError, externalDatabaseHint } from '../postgres-errors.ts'
import { initDataFolder, prepareDataFolder, sharedStateFolder } from './data-folder.ts'
import { preparePostgresBinaries } from './postgres-binaries.ts'
import {
  findPostmaster,
  type PostgresProcess,
  prepareSocketFolder,
  queryServer,
  spawnPostgres,
} from './postmaster.ts'
import { chooseProcessUser } from './process-user.ts'

/** A PostgreSQL server running on our data folder. */
export type EmbeddedServer = {
  socketFolder: string
  dataFolder: string
  /** True when it was already running, left behind by one of our servers that was killed. */
  adopted: boolean
  /** Stops the server; resolves when it is down, or after 3 s if it is still shutting down. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  /** Additional PostgreSQL settings, by their PostgreSQL names. */
  settings?: Record<string, string>
  /** False: ends with our process group. True (default): survives when this process is killed. */
  detached?: boolean
}

const mebibyte = 1024 * 1024

/**
 * Value of PostgreSQL's `shared_buffers`: an eighth of the machine's memory, so the indexes of a large city are not
 * copied repeatedly from the system's cache; Hansom needs the rest. `constrained` is the container's limit in bytes; 0
 * and undefined mean no limit.
 */
export function sharedBuffers(total: number, constrained: number | undefined): string {
  const memory = constrained ? Math.min(total, constrained) : total
  const eighth = Math.floor(memory / 8 / mebibyte)
  return `${Math.min(512, Math.max(128, eighth))}MB`
}

const usualSettings: Record<string, string> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: sharedBuffers(totalmem(), process.constrainedMemory()),
  work_mem: '8MB',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %a ',
  log_min_duration_statement: '1000',
  // Error details and statements contain user input.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

// Crash recovery can take minutes after a very large number of writes.
const startLimitMs = 300_000
const stopLimitMs = 3_000

/**
 * Starts the embedded PostgreSQL for a data folder, or adopts the one that already serves it. Throws
 * DatabaseUnavailableError with the fix.
 */
export async function startEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const user = await chooseProcessUser(join(options.dataDir, 'postgres'))
  const folder = await prepareDataFolder(options.dataDir, user)
  const binaries = await preparePostgresBinaries(
    user,
    user.ids === undefined ? options.dataDir : sharedStateFolder,
  )
  await initDataFolder(binaries.folder, folder, user)
  await checkVersion(folder, binaries.version)

  const running = await adopt(folder)
  if (running !== undefined) return running
  const socketFolder = await prepareSocketFolder(folder, user)
  const started = await spawnPostgres({
    binaries: binaries.folder,
    folder,
    logFile: join(options.dataDir, 'postgres.log'),
    settings: { ...usualSettings, unix_socket_directories: socketFolder, ...options.settings },
    user,
    detached: options.detached ?? true,
  })
  if (await answers(started, folder, socketFolder)) return serving(folder, socketFolder, false)
  // Another of our servers may have started it first.
  const faster = await adopt(folder)
  if (faster !== undefined) return faster
  throw cannotStart(folder, await started.output())
}

async function adopt(folder: string): Promise<EmbeddedServer | undefined> {
  const deadline = performance.now() + startLimitMs
  for (;;) {
    const running = await findPostmaster(folder)
    if (running === undefined) return undefined
    const answer = await queryServer(running.socketFolder)
    if ('folder' in answer && answer.folder === folder) return serving(folder, running.socketFolder, true)
    const reason = 'folder' in answer ? `its socket serves ${answer.folder}` : answer.waiting
    if (performance.now() > deadline) throw cannotStart(folder, `held by process ${running.pid}: ${reason}`)
    await wait(20)
  }
}

async function answers(started: PostgresProcess, folder: string, socketFolder: string): Promise<boolean> {
  const deadline = performance.now() + startLimitMs
  while (!started.hasExited()) {
    const answer = await queryServer(socketFolder)
    if ('folder' in answer) return answer.folder === folder
    if (performance.now() > deadline) throw cannotStart(folder, answer.waiting)
    await wait(20)
  }
  return false
}

function serving(dataFolder: string, socketFolder: string, adopted: boolean): EmbeddedServer {
  return { dataFolder, socketFolder, adopted, stop: () => stopPostmaster(dataFolder, socketFolder) }
}

async function stopPostmaster(folder: string, socketFolder: string): Promise<void> {
  const running = await findPostmaster(folder)
  if (running === undefined) return
  // SIGINT is PostgreSQL's fast shutdown: transactions are rolled back, everything is written.
  process.kill(running.pid, 'SIGINT')
  const deadline = performance.now() + stopLimitMs
  while ((await findPostmaster(folder)) !== undefined) {
    if (performance.now() > deadline) return
    await wait(20)
  }
  await rmdir(socketFolder).catch(() => {})
}

async function checkVersion(folder: string, binaries: string): Promise<void> {
  const made = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  const ours = binaries.split('.')[0]
  if (made === ours) return
  throw new DatabaseUnavailableError(
    `The database in ${folder} was created by PostgreSQL ${made}; the embedded one is ${ours}. ` +
      'Migrate its content with pg_dump and pg_restore, or choose another DATA_DIR for a new one.',
  )
}

function cannotStart(folder: string, said: string): DatabaseUnavailableError {
  return new DatabaseUnavailableError(
    `The embedded PostgreSQL failed to start on ${folder}:\n  ${said.trim().split('\n').slice(-8).join('\n  ')}\n` +
      externalDatabaseHint,
  )
}
