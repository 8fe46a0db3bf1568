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

/** The commands `maps:import`, `maps:list`, `maps:use` and `maps:remove`. They need no database and no running server. */

class UsageError extends Error {}

const usage = `Usage:
  npm run maps:import -- city.osm.pbf [--name city]   build a map from an OpenStreetMap extract
  npm run maps:list                                   show the imported maps
  npm run maps:use -- city [more]                     serve these maps from the next start on
  npm run maps:remove -- city                         delete a map

Extracts of countries and regions: https://download.geofabrik.de, of any city: https://extract.bbbike.org`

/** Same as for the server: DATA_DIR is relative to the project, the extract to where the command was typed. */
const dataDir = resolve(process.env.DATA_DIR?.trim() || './data')
const typedIn = process.env.INIT_CWD ?? process.cwd()
const store = new RegionStore(dataDir)
const say = (line: string) => process.stdout.write(`${line}\n`)

async function importMap(file: string, name: string | undefined): Promise<void> {
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
    say(`\nThe next start serves it:  npm start`)
  } else {
    say(`\nServe it once:    MAP_REGION=${id} npm start`)
    say(`Serve it always:  npm run maps:use -- ${id}`)
  }
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

function listMaps(): void {
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
}

function useMaps(ids: string[]): void {
  const known = new Map(store.list().map((region) => [region.id, region.file]))
  for (const id of ids) {
    if (known.get(id)?.format !== formatVersion)
      throw new UsageError(`There is no usable map "${id}". npm run maps:list shows what is there.`)
  }
  store.use([...new Set(ids)])
  say(`The next start serves ${ids.join(', ')}.`)
}

function removeMap(id: string): void {
  if (!store.list().some((region) => region.id === id))
    throw new UsageError(`There is no map "${id}". npm run maps:list shows what is there.`)
  if (store.inUse().includes(id))
    throw new UsageError(`The map "${id}" is in use. Choose another one first: npm run maps:use -- <name>`)
  store.remove(id)
  say(`Removed ${id}.`)
}

/** One line that is rewritten on a terminal; otherwise one line per stage. */
class ProgressBar {
  private stage = ''
  private readonly began = performance.now()

  constructor(private readonly isTerminal: boolean) {}

  show({ stage, share }: PrepareProgress): void {
    if (!this.isTerminal) {
      if (stage !== this.stage) say(`  ${stage}`)
      this.stage = stage
      return
    }
    const width = 30
    const full = Math.round(share * width)
    const seconds = (performance.now() - this.began) / 1000
    const left = share > 0.02 ? `about ${Math.ceil((seconds / share) * (1 - share))} s left` : ''
    const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
    process.stdout.write(
      `\r\u001B[K  ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${stage}  ${left}`,
    )
  }

  end(): void {
    if (this.isTerminal) process.stdout.write('\r\u001B[K')
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

async function runCommand(command: string | undefined, args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [first] = positionals
  if (values.name !== undefined && command !== 'import') throw new UsageError(usage)
  if (command === 'list' && positionals.length === 0) listMaps()
  else if (command === 'use' && first !== undefined) useMaps(positionals)
  else if (command === 'remove' && first !== undefined && positionals.length === 1) removeMap(first)
  else if (command === 'import' && first !== undefined && positionals.length === 1)
    await importMap(first, values.name)
  else throw new UsageError(usage)
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { name: { type: 'string' } } })
  } catch {
    throw new UsageError(usage)
  }
}

try {
  await runCommand(process.argv[2], process.argv.slice(3))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`\n${error.message}\n\n`)
  process.exitCode = 1
}
