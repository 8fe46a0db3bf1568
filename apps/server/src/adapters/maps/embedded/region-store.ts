import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Region } from '../port.ts'
import { prepareRegion } from './prepare-region.ts'
import { RegionFolders } from './region-folders.ts'
import { plainText } from './search/plain-text.ts'
import type { Box } from './source/map-source.ts'
import { packagedRegion, sourceFingerprint } from './source/qa-tiles.ts'

/** Increase when the meaning of the prepared files changes; older regions then have to be prepared again. */
export const formatVersion = 17

/** A prepared region's `region.json`. */
export interface RegionFile {
  format: number
  /** Identifies the prepared data, of an extract by the time of its import; part of the tiles' URL. */
  version: string
  /** The extract's file name, or null for the packaged map. */
  extract: string | null
  region: Region
  /** Of the data, in world units. */
  bounds: Box
  counts: { streets: number; houseNumbers: number; places: number; edges: number }
}

/** A folder name under `maps`, and what it contains: null if it cannot be served. */
export interface StoredRegion {
  id: string
  file: RegionFile | null
}

/** `message` can be printed as is. */
export class MapNotPreparedError extends Error {
  override name = 'MapNotPreparedError'
}

const packaged = packagedRegion.id
const regionId = /^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/

export const isRegionId = (id: string): boolean => regionId.test(id)

/** The region that an extract is named after: `Monaco.osm.pbf` is `monaco`. Empty if nothing usable is left. */
export function regionIdOf(fileName: string): string {
  const name = fileName.replace(/^.*[/\\]/, '').replace(/(\.osm)?(\.pbf)?$/i, '')
  return plainText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
}

/** The prepared regions of an installation. */
export class RegionStore extends RegionFolders {
  constructor(readonly dataDir: string) {
    super(join(dataDir, 'maps'))
  }

  /** Every region folder, by name. The packaged region is not listed before it is prepared. */
  list(): StoredRegion[] {
    return this.names()
      .filter(isRegionId)
      .sort()
      .map((id) => ({ id, file: this.read(id) }))
  }

  /** The regions that `use` chose; empty if none was chosen. */
  inUse(): string[] {
    try {
      return readFileSync(join(this.home, 'in-use.txt'), 'utf8').split(/\s+/).filter(isRegionId)
    } catch {
      return []
    }
  }

  /** Whether nothing was ever started or chosen here: no database, no choice. */
  isFresh(): boolean {
    const isOwn = (name: string) => name !== 'maps' && name !== 'lost+found' && !name.startsWith('.')
    return this.inUse().length === 0 && !readdirSync(dirname(this.home)).some(isOwn)
  }

  /** Chooses the regions that the server serves from its next start on. */
  use(ids: readonly string[]): void {
    mkdirSync(this.home, { recursive: true })
    writeFileSync(join(this.home, 'in-use.txt'), `${ids.join('\n')}\n`)
  }

  remove(id: string): void {
    rmSync(this.folder(id), { recursive: true, force: true })
    const left = this.inUse().filter((one) => one !== id)
    if (left.length > 0) this.use(left)
    else rmSync(join(this.home, 'in-use.txt'), { force: true })
  }

  /**
   * Loads a region. Prepares the packaged one if it is missing, outdated or damaged (some seconds). Throws
   * MapNotPreparedError if another one cannot be loaded.
   */
  async open<T>(
    id: string,
    log: { info(message: string): void },
    load: (folder: string, file: RegionFile) => T,
  ): Promise<T> {
    this.tidy()
    await this.untilPlaced(id)
    const file = this.read(id)
    const isPackaged = id === packaged && (file === null || file.extract === null)
    const isCurrent =
      file?.format === formatVersion && (!isPackaged || file.version.endsWith(sourceFingerprint()))
    if (isPackaged && !isCurrent) await this.preparePackaged(log)
    else if (!isCurrent) throw new MapNotPreparedError(this.complaint(id, file))
    try {
      return this.loadWhole(id, load)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isPackaged)
        throw new MapNotPreparedError(
          `The map "${id}" cannot be read (${reason}). Import it again: npm run maps:import -- ${file?.extract}`,
        )
      log.info(`The prepared map cannot be read (${reason}); rebuilding it`)
      await this.preparePackaged(log)
      return this.loadWhole(id, load)
    }
  }

  /** Loads again if an import replaced the region meanwhile. */
  private loadWhole<T>(id: string, load: (folder: string, file: RegionFile) => T): T {
    for (;;) {
      const file = this.read(id)
      const isReplaced = () => this.read(id)?.version !== file?.version
      try {
        const loaded = load(this.folder(id), file as RegionFile)
        if (!isReplaced()) return loaded
      } catch (error) {
        if (!isReplaced()) throw error
      }
    }
  }

  private async preparePackaged(log: { info(message: string): void }): Promise<void> {
    const began = performance.now()
    const { name } = packagedRegion.region
    log.info(`Preparing the map of ${name} for the first time`)
    let stage = ''
    const onProgress = (progress: { stage: string }) => {
      if (progress.stage !== stage) log.info(`Preparing the map: ${progress.stage}`)
      stage = progress.stage
    }
    try {
      await prepareRegion(this, { id: packaged, extract: null, isSeparate: true }, onProgress)
    } catch (error) {
      throw new MapNotPreparedError(
        `The map of ${name} could not be prepared: ${error instanceof Error ? error.message : String(error)}\n` +
          'Start the server again to retry; no partial files are left.',
      )
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    log.info(`The map of ${name} is ready: ${seconds} s; later starts reuse it`)
  }

  private complaint(id: string, file: RegionFile | null): string {
    if (file === null) {
      const known = [packaged, ...this.list().map((one) => one.id)].filter(
        (one, at, all) => all.indexOf(one) === at,
      )
      return (
        `There is no map "${id}". Import it: npm run maps:import -- ${id}.osm.pbf\n` +
        `Available maps: ${known.join(', ')}. They are set with MAP_REGION or npm run maps:use.`
      )
    }
    return (
      `The map "${id}" was imported by another version of Hansom. ` +
      `Import it again: npm run maps:import -- ${file.extract}`
    )
  }

  private read(id: string): RegionFile | null {
    try {
      return JSON.parse(readFileSync(join(this.folder(id), 'region.json'), 'utf8')) as RegionFile
    } catch {
      return null
    }
  }
}
