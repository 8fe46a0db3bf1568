import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { createEmbeddedMaps } from '../apps/server/src/adapters/maps/embedded.ts'

/**
 * Place search as makeQueries in the booking form: names of the real city letter by letter, complete, without diacritics,
 * with typos, shortened, with house numbers, and intersections. The complete response of the maps port is timed. The
 * peer contains the names of streets and places only (no house numbers, no intersections) and gets the same queries
 * with prefixes and typos allowed; it returns the list of ids.
 */
export interface SearchLine {
  job: string
  unit: string
  ours: number
  peer: number
  peer_name: string
  ratio: number
  ours_p50: number
  peer_p50: number
  queries: number
  /** Share of the queries with a complete name, with or without a typo, whose first eight results contain that name. */
  found: number
  peer_found: number
}

interface Named {
  id: string
  kind: 'street' | 'place'
  label: string
}

export async function run(): Promise<SearchLine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hansom-bench-search-'))
  try {
    const maps = await createEmbeddedMaps({ dataDir, log: { info: () => {} } })
    const home = join(dataDir, 'maps')
    const names = JSON.parse(
      readFileSync(join(home, readdirSync(home)[0] as string, 'names.json'), 'utf8'),
    ) as {
      entries: Named[]
    }
    const peer = new MiniSearch<Named>({ fields: ['label'], processTerm: plain })
    peer.addAll(names.entries)
    const ask = { prefix: true, fuzzy: 0.2, combineWith: 'AND' } as const
    const queries = makeQueries(names.entries)
    const near = maps.region.center
    const labelOf = new Map(names.entries.map(({ id, label }) => [id, label]))

    for (const { text } of queries.slice(0, 500)) {
      await maps.search(text, { near })
      peer.search(text, ask)
    }
    const ours = await timed(queries, async ({ text }) =>
      (await maps.search(text, { near, limit: 8 })).map(({ label }) => label),
    )
    const theirs = await timed(queries, async ({ text }) =>
      peer
        .search(text, ask)
        .slice(0, 8)
        .map(({ id }) => labelOf.get(id as string) as string),
    )
    const [p99, peerP99] = [at(ours.ms, 0.99), at(theirs.ms, 0.99)]
    return {
      job: `place search among ${names.entries.length} names and 205,000 house numbers, slowest hundredth`,
      unit: 'ms p99',
      ours: p99,
      peer: peerP99,
      peer_name: 'minisearch 7.2.0, names only',
      ratio: Math.round((peerP99 / p99) * 10) / 10,
      ours_p50: at(ours.ms, 0.5),
      peer_p50: at(theirs.ms, 0.5),
      queries: queries.length,
      found: ours.found,
      peer_found: theirs.found,
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Query {
  text: string
  /** The intended name, for complete queries. */
  expected?: string
}

/** Runs each query five times and takes the median, to exclude other load on the machine. */
async function timed(queries: Query[], search: (query: Query) => Promise<string[]>) {
  const ms: number[] = []
  let [hits, total] = [0, 0]
  for (const query of queries) {
    const times: number[] = []
    let labels: string[] = []
    for (let time = 0; time < 5; time++) {
      const began = performance.now()
      labels = await search(query)
      times.push(performance.now() - began)
    }
    ms.push(times.sort((a, b) => a - b)[2] as number)
    if (query.expected === undefined) continue
    total++
    if (labels.includes(query.expected)) hits++
  }
  return { ms: ms.sort((a, b) => a - b), found: Math.round((hits / total) * 1_000) / 1_000 }
}

/** Generates about 6,000 queries, the same in every run. */
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
