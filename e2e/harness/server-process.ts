import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@hansom/doubles/free-port'
import { memoryFolder } from '@hansom/doubles/memory-folder'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const startMs = 240_000
/**
 * Cache of the prepared map from earlier runs: its folder name is a hash of its contents, so an outdated map is never
 * used.
 */
const mapCache = join(root, 'node_modules', '.cache', 'hansom', 'e2e-maps')
const packagedMap = 'montevideo'
/** Several journeys at once, each with some 0.2 GB. */
const enoughBytes = 3 * 2 ** 30

/** A server on its own port and data folder. */
export interface RunningServer {
  url: string
  dataDir: string
  pid: number
  /** Everything printed so far. */
  output(): string
  /** Kills it immediately (SIGKILL); the data stays. */
  kill(): Promise<void>
  /** Stops it cleanly (SIGTERM) and waits; the data stays. */
  stop(): Promise<void>
  /** Exit code; null while it runs. */
  exitCode(): number | null
  /** Starts it again with the same port and data. */
  restart(): Promise<void>
  /** Stops it cleanly and removes its data. */
  close(): Promise<void>
}

/**
 * Starts a server on a copy of `data`, or without data by the start command, which builds what changed, and waits until it
 * responds. Throws with its output when it does not.
 */
export async function launchServer(env: Record<string, string>, data: string | null): Promise<RunningServer> {
  const dataDir = await createDataFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = data === null ? ['scripts/start.mjs'] : ['--enable-source-maps', 'apps/server/dist/main.js']
  let printed = ''
  let child: ChildProcess

  const launch = async () => {
    child = spawn(process.execPath, program, {
      cwd: root,
      env: { ...process.env, NODE_ENV: '', DEMO_RIDERS: '0', PORT: String(port), DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.on('data', (text) => (printed += String(text)))
    child.stderr?.on('data', (text) => (printed += String(text)))
    await untilHealthy(
      url,
      () => child.exitCode,
      () => printed,
    )
  }
  const running = () => child.exitCode === null && child.signalCode === null
  const untilExit = () =>
    new Promise<void>((resolve) => (running() ? child.once('exit', () => resolve()) : resolve()))

  if (data !== null) await copyFolder(data, dataDir)
  else if (existsSync(mapCache)) await cp(mapCache, join(dataDir, 'maps'), { recursive: true })
  await launch()
  await cacheMap(dataDir)
  const stop = async () => {
    const exit = untilExit()
    child.kill('SIGTERM')
    await exit
  }
  return {
    url,
    dataDir,
    get pid() {
      return child.pid as number
    },
    output: () => printed,
    async kill() {
      const exit = untilExit()
      child.kill('SIGKILL')
      await exit
    },
    stop,
    exitCode: () => child.exitCode,
    restart: launch,
    async close() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A new data folder, whose name tells which process made it. */
export async function createDataFolder(): Promise<string> {
  return mkdtemp(join(await memoryFolder(enoughBytes), `hansom-e2e-${process.pid}-`))
}

/** Removes the data of killed runs, which would fill the memory. A database without its files ends by itself. */
export async function removeLeftOvers(): Promise<void> {
  const parent = await memoryFolder(enoughBytes)
  for (const name of await readdir(parent)) {
    const maker = /^hansom-e2e-(\d+)-/.exec(name)?.[1]
    if (maker === undefined || isRunning(Number(maker))) continue
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Copies a folder with owners and permissions, which PostgreSQL checks. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}

/** Caches the packaged map for later runs by renames: other processes may be reading the cache. */
async function cacheMap(dataDir: string): Promise<void> {
  const made = join(dataDir, 'maps', packagedMap)
  const cached = join(mapCache, packagedMap)
  const versionOf = (folder: string) => readFile(join(folder, 'region.json'), 'utf8').catch(() => null)
  const version = await versionOf(made)
  if (version === null || version === (await versionOf(cached))) return
  await mkdir(mapCache, { recursive: true })
  const fresh = await mkdtemp(`${mapCache}-`)
  await cp(made, join(fresh, 'new'), { recursive: true })
  await rename(cached, join(fresh, 'old')).catch(() => {})
  // A concurrent process may have stored the same map.
  await rename(join(fresh, 'new'), cached).catch(() => {})
  await rm(fresh, { recursive: true, force: true })
}

async function untilHealthy(
  url: string,
  exitCode: () => number | null,
  printed: () => string,
): Promise<void> {
  const deadline = Date.now() + startMs
  while (Date.now() < deadline) {
    if (exitCode() !== null) throw new Error(`the server exited with ${exitCode()}:\n${printed()}`)
    const answer = await fetch(`${url}/healthz`).catch(() => null)
    if (answer?.status === 200) return
    await wait(200)
  }
  throw new Error(`the server does not respond:\n${printed()}`)
}
