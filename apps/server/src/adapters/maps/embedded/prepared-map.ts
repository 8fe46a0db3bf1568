import { fork } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Region } from '../port.ts'
import { sourceFingerprint } from './source/qa-tiles.ts'

/** The part of Montevideo and its surroundings that the packaged tiles cover. */
export const region: Region = {
  name: 'Montevideo',
  countryCode: 'UY',
  timezone: 'America/Montevideo',
  center: { lat: -34.9011, lng: -56.1645 },
  bounds: [-56.3379, -34.958, -55.9863, -34.8138],
  attribution: '© OpenStreetMap contributors',
}

/** Increase when the meaning of the prepared files changes; older folders are then rebuilt. */
const formatVersion = 9

export interface PreparedMapOptions {
  /** The server's data folder; the map is in its subfolder `maps`. */
  dataDir: string
  log: { info(message: string): void }
}

/**
 * Returns the result of `load` for the prepared map's folder. Prepares the folder if it is missing (some seconds) and
 * rebuilds it if it cannot be read. Throws any error that `load` throws on newly prepared files.
 */
export async function openPreparedMap<T>(
  { dataDir, log }: PreparedMapOptions,
  load: (folder: string) => T,
): Promise<{ version: string; map: T }> {
  const version = `${formatVersion}-${sourceFingerprint()}`
  const home = join(dataDir, 'maps')
  const folder = join(home, version)
  if (!existsSync(folder)) await make(home, folder, log)
  for (const name of namesIn(home)) {
    if (name !== version && !isBeingMade(name)) remove(home, name)
  }
  try {
    return { version, map: load(folder) }
  } catch (error) {
    log.info(
      `The prepared map cannot be read (${error instanceof Error ? error.message : String(error)}); rebuilding it`,
    )
    rmSync(folder, { recursive: true, force: true })
    await make(home, folder, log)
    return { version, map: load(folder) }
  }
}

async function make(home: string, folder: string, log: PreparedMapOptions['log']): Promise<void> {
  try {
    await prepareMap(folder, log)
  } catch (error) {
    for (const name of namesIn(home)) {
      if (name.endsWith('.making') && !isBeingMade(name)) remove(home, name)
    }
    throw error
  }
}

const namesIn = (home: string) => (existsSync(home) ? readdirSync(home) : [])
const remove = (home: string, name: string) => rmSync(join(home, name), { recursive: true, force: true })

function isBeingMade(name: string): boolean {
  const maker = /\.(\d+)\.making$/.exec(name)?.[1]
  if (maker === undefined) return false
  try {
    process.kill(Number(maker), 0)
    return true
  } catch {
    return false
  }
}

/** `message` can be printed as is. */
export class MapNotPreparedError extends Error {
  override name = 'MapNotPreparedError'
}

// A server running from source runs the child process from source too.
const isBundle = import.meta.url.endsWith('/main.js')
const program = fileURLToPath(
  new URL(isBundle ? 'prepare-process.js' : 'prepare-process.ts', import.meta.url),
)

/**
 * Prepares the map into `folder` in a separate process, so that its memory and blocking CPU time do not affect the
 * server. The child exits with this process. If it fails, `folder` is either complete or absent.
 */
async function prepareMap(folder: string, log: { info(message: string): void }): Promise<void> {
  const began = performance.now()
  log.info(`Preparing the map of ${region.name} for the first time`)
  const child = fork(program, [folder], {
    execArgv: isBundle ? ['--enable-source-maps'] : ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let complaint = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    for (const step of text.trim().split('\n')) log.info(`Preparing the map: ${step}`)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  try {
    const reason = await new Promise<string | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(code === 0 ? null : (signal ?? complaint.trim())))
    })
    if (reason !== null) {
      throw new MapNotPreparedError(
        `The map of ${region.name} could not be prepared: ${reason}\nStart the server again to retry; no partial files are left.`,
      )
    }
  } finally {
    process.off('exit', end)
  }
  log.info(
    `The map of ${region.name} is ready: ${((performance.now() - began) / 1000).toFixed(1)} s; later starts reuse it`,
  )
}
