import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareMap } from './prepare-map.ts'
import { sourceFingerprint } from './source.ts'

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
