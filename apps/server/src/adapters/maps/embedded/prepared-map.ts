import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from './prepare.ts'
import { region } from './region.ts'
import { sourceFingerprint } from './source.ts'

/** Raised whenever the prepared files change their meaning: an older folder is then built anew. */
const formatVersion = 8

export interface PreparedMapOptions {
  /** The server's data folder; the map lives in `maps` beneath it. */
  dataDir: string
  log: { info(message: string): void }
}

/**
 * What `load` reads from the prepared map's folder. The folder is made first if it is not there (some seconds in which
 * nothing else runs), and made again if it cannot be read. Throws what `load` throws on files made just now.
 */
export function openPreparedMap<T>(
  { dataDir, log }: PreparedMapOptions,
  load: (folder: string) => T,
): { version: string; map: T } {
  const version = `${formatVersion}-${sourceFingerprint()}`
  const home = join(dataDir, 'maps')
  const folder = join(home, version)
  if (!existsSync(folder)) make(home, folder, log)
  removeOlder(home, version)
  try {
    return { version, map: load(folder) }
  } catch (error) {
    log.info(
      `The prepared map cannot be read (${error instanceof Error ? error.message : String(error)}): making it again`,
    )
    rmSync(folder, { recursive: true, force: true })
    make(home, folder, log)
    return { version, map: load(folder) }
  }
}

function make(home: string, folder: string, log: PreparedMapOptions['log']): void {
  const began = Date.now()
  log.info(`Preparing the map of ${region.name} for the first time`)
  mkdirSync(home, { recursive: true })
  prepare(folder)
  log.info(
    `The map of ${region.name} is ready: ${((Date.now() - began) / 1000).toFixed(1)} s, not needed again`,
  )
}

function removeOlder(home: string, version: string): void {
  for (const name of readdirSync(home)) {
    if (name !== version && !isBeingMade(name)) rmSync(join(home, name), { recursive: true, force: true })
  }
}

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
