import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { loadDirectory, loadHouseNumbers } from '../apps/server/src/adapters/maps/embedded/load.ts'
import { writePack } from '../apps/server/src/adapters/maps/embedded/pack.ts'
import { buildSearch } from '../apps/server/src/adapters/maps/embedded/search/build-search.ts'
import type { SourceFeature } from '../apps/server/src/adapters/maps/embedded/source/map-source.ts'
import { packagedRegion, readQaTiles } from '../apps/server/src/adapters/maps/embedded/source/qa-tiles.ts'
import type { Line } from './limits.ts'

/**
 * Place search as in the booking form, among 200,000 names: those of the packaged city, and copies of it beside it whose
 * rarer words have other vowels. Queries are typed letter by letter, complete, without diacritics, with typos,
 * shortened, very common words, with house numbers, and intersections. The complete response is timed. The peer
 * contains the names of streets and places only (no house numbers, no intersections) and gets the same queries with
 * prefixes and typos allowed; it returns the list of ids.
 */
export interface SearchLine extends Line {
  ours_p50: number
  peer_p50: number
  queries: number
  /** Share of the queries with a complete name, with or without a typo, whose first eight results contain that name. */
  found: number
  peer_found: number
  /** Until the prepared files can be searched, and their memory per name, house numbers not included. */
  load_ms: number
  bytes_per_name: number
}

interface Named {
  id: string
  kind: 'street' | 'place'
  label: string
}

const mostNames = 200_000

export async function run(): Promise<SearchLine> {
  const { directory, entries, loadMs, bytes, houseNumbers } = openDirectory()
  const peer = new MiniSearch<Named>({ fields: ['label'], processTerm: plain })
  peer.addAll(entries)
  const ask = { prefix: true, fuzzy: 0.2, combineWith: 'AND' } as const
  const queries = makeQueries(entries)
  const near = packagedRegion.region.center
  const labelOf = new Map(entries.map(({ id, label }) => [id, label]))

  for (const { text } of queries.slice(0, 500)) directory.search(text, near, 8)
  for (const { text } of queries.slice(0, 100)) peer.search(text, ask)
  const ours = timed(queries, 5, ({ text }) => directory.search(text, near, 8).map(({ label }) => label))
  const theirs = timed(
    queries.filter((_, at) => at % 10 === 0),
    1,
    ({ text }) =>
      peer
        .search(text, ask)
        .slice(0, 8)
        .map(({ id }) => labelOf.get(id as string) as string),
  )
  const [p99, peerP99] = [at(ours.ms, 0.99), at(theirs.ms, 0.99)]
  return {
    job: `place search among ${entries.length} names and ${houseNumbers} house numbers, slowest hundredth`,
    unit: 'ms p99',
    ours: p99,
    peer: peerP99,
    peer_name: 'minisearch 7.2.0, names only, a tenth of the queries',
    ratio: Math.round((peerP99 / p99) * 10) / 10,
    ours_p50: at(ours.ms, 0.5),
    peer_p50: at(theirs.ms, 0.5),
    queries: queries.length,
    found: ours.found,
    peer_found: theirs.found,
    load_ms: Math.round(loadMs),
    bytes_per_name: Math.round(bytes / entries.length),
  }
}

/** Prepares, writes and loads the names. Stopping points need a road network and are left out. */
function openDirectory() {
  const folder = mkdtempSync(join(tmpdir(), 'hansom-bench-search-'))
  try {
    const roadside = { stopNear: () => null, nameNear: () => null }
    const files = buildSearch(manyCities(), roadside, packagedRegion.region)
    writePack(join(folder, 'names.bin'), files.names)
    writePack(join(folder, 'numbers.bin'), files.numbers)
    const numbers = loadHouseNumbers(folder)
    const before = process.memoryUsage()
    const began = performance.now()
    const directory = loadDirectory(folder, numbers)
    const loadMs = performance.now() - began
    const after = process.memoryUsage()
    const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
    const entries: Named[] = files.entries.map(({ id, kind, label }) => ({ id, kind, label }))
    return { directory, entries, loadMs, bytes, houseNumbers: numbers.number.length }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The packaged city, and copies to its east with other ids and names and without house numbers. */
function* manyCities(): Generator<SourceFeature> {
  const { features, bounds } = readQaTiles()
  const namesPerCity = 11_000
  const width = bounds.east - bounds.west
  for (let city = 0; city * namesPerCity < mostNames; city++) {
    for (const { id, shape, tags, rings } of features()) {
      if (city === 0) yield { id, shape, tags, rings }
      if (city === 0 || (!tags.name && !tags.brand)) continue
      const { 'addr:housenumber': _, ...others } = tags
      const name = tags.name && otherVowels(tags.name, city)
      yield {
        id: `${id.charAt(0)}${Number(id.slice(1)) + city * 1e11}`,
        shape,
        tags: name ? { ...others, name } : others,
        rings: rings.map((ring) => ring.map((value, i) => (i % 2 === 0 ? value + city * width : value))),
      }
    }
  }
}

/** Replaces the vowels of long words by the ones that follow in the alphabet, so that each city has its own words. */
function otherVowels(name: string, city: number): string {
  return name.replace(/\p{L}{6,}/gu, (word) =>
    word.length % 3 === city % 3
      ? word
      : word.replace(/[aeiou]/g, (vowel, index: number) =>
          'aeiou'.charAt(('aeiou'.indexOf(vowel) + city + index * (city >> 2)) % 5),
        ),
  )
}

interface Query {
  text: string
  /** The intended name, for complete queries. */
  expected?: string
}

/** Runs each query several times and takes the median, to exclude other load on the machine. */
function timed(queries: Query[], times: number, search: (query: Query) => string[]) {
  const ms: number[] = []
  let [hits, total] = [0, 0]
  for (const query of queries) {
    const taken: number[] = []
    let labels: string[] = []
    for (let time = 0; time < times; time++) {
      const began = performance.now()
      labels = search(query)
      taken.push(performance.now() - began)
    }
    ms.push(taken.sort((a, b) => a - b)[taken.length >> 1] as number)
    if (query.expected === undefined) continue
    total++
    if (labels.includes(query.expected)) hits++
  }
  return { ms: ms.sort((a, b) => a - b), found: Math.round((hits / total) * 1_000) / 1_000 }
}

const common = [
  'calle',
  'avenida',
  'av',
  'san',
  'de la',
  'general',
  'pasaje',
  'plaza',
  'street',
  'restaurante',
  'c',
  's',
]

/** Generates about 7,000 queries, the same in every run. */
function makeQueries(entries: Named[]): Query[] {
  const random = randomSource(7)
  const pick = () => entries[Math.floor(random() * entries.length)] as Named
  const streets = entries.filter(({ kind }) => kind === 'street')
  const street = () => (streets[Math.floor(random() * streets.length)] as Named).label
  const queries: Query[] = []
  for (let session = 0; session < 600; session++) {
    const { label } = pick()
    for (let length = 1; length < Math.min(label.length, 24); length += 1 + Math.floor(random() * 5)) {
      queries.push({ text: label.slice(0, length) })
    }
    queries.push({ text: label, expected: label }, { text: plain(label), expected: label })
    const misspelled = pick()
    queries.push({ text: withTypo(plain(misspelled.label), random), expected: misspelled.label })
    queries.push({ text: `${plain(street())} ${100 + Math.floor(random() * 4_000)}` })
    queries.push({ text: `${street()} y ${street()}` })
    queries.push({ text: common[session % common.length] as string })
  }
  return queries
}

/** Makes a typo: one letter left out, doubled, changed, or swapped with the next; short words are unchanged. */
function withTypo(text: string, random: () => number): string {
  const words = text.split(' ')
  const long = words.filter((word) => word.length >= 5)
  const word = long[Math.floor(random() * long.length)]
  if (!word) return text
  const spot = 1 + Math.floor(random() * (word.length - 2))
  const typos = [
    word.slice(0, spot) + word.slice(spot + 1),
    word.slice(0, spot) + word.slice(spot - 1),
    `${word.slice(0, spot)}e${word.slice(spot + 1)}`,
    word.slice(0, spot) + word[spot + 1] + word[spot] + word.slice(spot + 2),
  ]
  words[words.indexOf(word)] = typos[Math.floor(random() * typos.length)] as string
  return words.join(' ')
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function at(sorted: number[], share: number): number {
  return (
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number) * 1_000) /
    1_000
  )
}

function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await run()))
