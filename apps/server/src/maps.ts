import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type PrepareProgress, prepareRegion } from './adapters/maps/embedded/prepare-region.ts'
import {
  formatVersion,
  isRegionId,
  type RegionFile,
  RegionStore,
  regionIdOf,
} from './adapters/maps/embedded/region-store.ts'
import { packagedRegion } from './adapters/maps/embedded/source/qa-tiles.ts'

/** The commands `maps:import`, `maps:list`, `maps:use` and `maps:remove`. They need no database and no running server. */

class UsageError extends Error {}

const usage = `Usage:
  npm run maps:import -- city.osm.pbf [--name city]   build a map from an OpenStreetMap extract
  npm run maps:list                                   show the imported maps
  npm run maps:use -- city [more]                     serve these maps from the next start on
  npm run maps:remove -- city                         delete a map

Extracts of countries and regions: https://download.geofabrik.de, of any city: https://extract.bbbike.org`

const say = (line: string) => process.stdout.write(`${line}\n`)

export interface MapsCommand {
  /** The command's name and its arguments. */
  args: string[]
  /** Absolute path of the server's data folder. */
  dataDir: string
  /** The folder in which the command was typed: an extract's path is relative to it. */
  typedIn: string
}

/** Runs a command and prints its result. Returns the exit code. */
export async function runMapsCommand({ args, dataDir, typedIn }: MapsCommand): Promise<0 | 1> {
  try {
    await runCommand(new RegionStore(dataDir), typedIn, args)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`\n${error.message}\n\n`)
    return 1
  }
}

async function importMap(
  store: RegionStore,
  typedIn: string,
  file: string,
  name: string | undefined,
): Promise<void> {
  const extract = resolve(typedIn, file)
  const size = statSync(extract, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new UsageError(`The file ${file} does not exist.`)
  const id = name ?? regionIdOf(basename(file))
  if (!isRegionId(id)) {
    throw new UsageError(
      `"${id}" cannot name a map: use up to 62 letters from a to z, digits and hyphens, for example --name new-york.`,
    )
  }
  store.tidy()
  const isReplaced = store.list().some((region) => region.id === id && region.file !== null)
  say(
    `Importing ${basename(file)} (${megabytes(size)}) as "${id}"${isReplaced ? ', replacing the former map' : ''}`,
  )
  const began = performance.now()
  const bar = new ProgressBar(process.stdout.isTTY === true)
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await prepareRegion(
      store,
      { id, extract, isSeparate: false },
      (progress) => bar.show(progress),
      stopped.signal,
    )
  } catch (error) {
    bar.end()
    if (stopped.signal.aborted) throw new UsageError('Interrupted. Nothing was changed.')
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${basename(file)} was not imported: ${reason}\nNothing was changed.`)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
  bar.end()
  const imported = store.list().find((region) => region.id === id)?.file as RegionFile
  say(`Imported ${imported.region.name} in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
  describe(imported)
  if (store.isFresh()) {
    store.use([id])
    say(`\nThe next start serves it:  ${typed(store, 'npm start')}`)
  } else if (store.inUse().includes(id)) {
    say('\nA running server serves the former map until its next start.')
  } else {
    say(`\nServe it once:    ${typed(store, `MAP_REGION=${id} npm start`)}`)
    say(`Serve it always:  ${typed(store, `npm run maps:use -- ${id}`)}`)
  }
}

/** A command with the data folder, unless it is the default one. */
function typed({ dataDir }: RegionStore, command: string): string {
  if (dataDir === resolve('data')) return command
  const folder = /^[\w./~-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", "'\\''")}'`
  return `DATA_DIR=${folder} ${command}`
}

function describe({ region, counts }: RegionFile): void {
  const number = new Intl.NumberFormat('en').format
  const country = new Intl.DisplayNames('en', { type: 'region' }).of(region.countryCode)
  const languages = region.languages
    .map((code) => new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code)
    .join(', ')
  const lines = [
    ['country', `${country} (${region.countryCode})`],
    ['time zone', region.timezone],
    ['currency', `${region.currency} (a new installation starts with it)`],
    ['languages', languages],
    ['streets', `${number(counts.streets)}, in ${number(counts.edges)} segments open to cars`],
    ['addresses', number(counts.houseNumbers)],
    ['places', number(counts.places)],
  ]
  for (const [label, text] of lines) say(`  ${label?.padEnd(10)} ${text}`)
}

function listMaps(store: RegionStore): void {
  const regions = store.list()
  const inUse = store.inUse()
  if (regions.length === 0) {
    say('No maps yet. The server prepares the packaged map of Montevideo when it starts without another one.')
    say('Build one from an OpenStreetMap extract:  npm run maps:import -- city.osm.pbf')
    return
  }
  for (const { id, file } of regions) {
    const mark = inUse.includes(id) ? '*' : ' '
    if (file === null) say(`${mark} ${id.padEnd(20)} unusable: import it again or remove it`)
    else {
      const old = file.format === formatVersion ? '' : ', imported by another version: import it again'
      const { name, countryCode, timezone } = file.region
      say(
        `${mark} ${id.padEnd(20)} ${name}, ${countryCode}, ${timezone}, from ${file.extract ?? 'the package'}${old}`,
      )
    }
  }
  if (inUse.length > 0) say('\n* is served from the next start on. MAP_REGION overrides it.')
  if (inUse.length > 1) say(`The home, whose name and center the site shows, is ${inUse[0]}.`)
}

function chooseMaps(store: RegionStore, ids: string[]): void {
  const known = new Map(store.list().map((region) => [region.id, region.file]))
  for (const id of ids) {
    if (id !== packagedRegion.id && known.get(id)?.format !== formatVersion)
      throw new UsageError(`There is no usable map "${id}". npm run maps:list shows what is there.`)
  }
  store.use([...new Set(ids)])
  say(`The next start serves ${ids.join(', ')}.`)
}

function removeMap(store: RegionStore, id: string): void {
  if (!store.list().some((region) => region.id === id))
    throw new UsageError(`There is no map "${id}". npm run maps:list shows what is there.`)
  if (store.inUse().includes(id))
    throw new UsageError(
      `The map "${id}" is in use. Choose another one first, such as the packaged one: ${typed(store, `npm run maps:use -- ${packagedRegion.id}`)}`,
    )
  store.remove(id)
  say(`Removed ${id}.`)
}

/** One line that is rewritten on a terminal; otherwise a line per stage, and one every ten seconds. */
class ProgressBar {
  private stage = ''
  private shownAt = 0
  private readonly began = performance.now()

  constructor(private readonly isTerminal: boolean) {}

  show({ stage, share }: PrepareProgress): void {
    const now = performance.now()
    const seconds = (now - this.began) / 1000
    const left = share > 0.02 ? `, about ${Math.ceil((seconds / share) * (1 - share))} s left` : ''
    const text = `${String(Math.floor(share * 100)).padStart(3)} %  ${stage}${left}`
    if (this.isTerminal) {
      const full = Math.round(share * barWidth)
      const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
      process.stdout.write(`\r\u001B[K  ${bar} ${text}`)
    } else if (stage !== this.stage || now - this.shownAt > 10_000) {
      this.shownAt = now
      say(`  ${text}`)
    }
    this.stage = stage
  }

  end(): void {
    if (this.isTerminal) process.stdout.write('\r\u001B[K')
  }
}

const barWidth = 30
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

async function runCommand(store: RegionStore, typedIn: string, args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [command, first, ...more] = positionals
  const isSingle = first !== undefined && more.length === 0
  if (values.name !== undefined && command !== 'import') throw new UsageError(usage)
  if (command === 'list' && first === undefined) listMaps(store)
  else if (command === 'use' && first !== undefined) chooseMaps(store, [first, ...more])
  else if (command === 'remove' && isSingle) removeMap(store, first)
  else if (command === 'import' && isSingle) await importMap(store, typedIn, first, values.name)
  else throw new UsageError(usage)
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { name: { type: 'string' } } })
  } catch {
    throw new UsageError(usage)
  }
}
