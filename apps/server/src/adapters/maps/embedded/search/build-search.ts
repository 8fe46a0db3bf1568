import type { Region } from '../../port.ts'
import type { Pack } from '../pack.ts'
import type { SourceFeature } from '../source/map-source.ts'
import { type AddressRow, addressRows } from './address-rows.ts'
import { collectSearchSource } from './collect.ts'
import type { Entry } from './entry.ts'
import { houseNumberColumns } from './house-numbers.ts'
import { intersectionColumns } from './intersections.ts'
import { Localities } from './localities.ts'
import { nameColumns } from './name-table.ts'
import { type NamedRoadsNearby, placeEntries } from './place-entries.ts'
import { type FindStreet, streetEntries } from './street-entries.ts'
import { textColumns } from './text-block.ts'
import { wordIndexColumns } from './word-index.ts'
import { words } from './words.ts'

export interface SearchFiles {
  names: Pack
  numbers: Pack
  /** Streets and places, the most important first: search results are capped by this order. */
  entries: Entry[]
  /** Finds the index of a street in `entries`. */
  find: FindStreet
}

/** Everything that search needs, in one pass over the features. */
export function buildSearch(
  features: Iterable<SourceFeature>,
  roadside: NamedRoadsNearby,
  { languages, countryCode }: Pick<Region, 'languages' | 'countryCode'>,
): SearchFiles {
  const source = collectSearchSource(features)
  const localities = new Localities(source.localities, source.addresses)
  const streets = streetEntries(source.streets, localities)
  const places = placeEntries(
    { ...source, localities, roadside, language: languages[0] ?? 'en' },
    streets.entries,
  )
  const { rows, added } = addressRows(source, streets, places, localities)
  const entries = [...streets.entries, ...places, ...added].sort((a, b) => b.importance - a.importance)
  const positions = new Map(entries.map((entry, at) => [entry, at]))
  const positionOf = (entry: Entry) => positions.get(entry) as number
  const find: FindStreet = (name, x, y) => {
    const street = streets.find(name, x, y)
    return street === undefined ? undefined : positionOf(streets.entries[street] as Entry)
  }
  const postcodes = postcodesByLocality(rows)
  const localityWords = localities.all.map((text, at) => [text, ...(postcodes.get(at) ?? [])].join(' '))
  const names: Pack = {
    ...nameColumns(entries),
    ...wordIndexColumns(
      entries.map(({ label, alsoKnownAs, kindToken }) => ({ text: label, alsoKnownAs, token: kindToken })),
      localityWords.flatMap(words),
    ),
    ...intersectionColumns(source.streets, find),
    ...textColumns('localities', localities.all),
    ...textColumns('localityWords', localityWords),
    ...textColumns('country', [countryCode]),
  }
  const numbers = houseNumberColumns(rows, ({ owner }: AddressRow) => positionOf(owner), entries.length)
  return { names, numbers, entries, find }
}

const mostPostcodes = 12

/** The postcodes of each locality's addresses, at most 12 each. */
function postcodesByLocality(rows: readonly AddressRow[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  for (const { locality, postcode } of rows) {
    if (!postcode) continue
    const known = found.get(locality) ?? new Set()
    if (known.size < mostPostcodes) found.set(locality, known.add(postcode))
  }
  return found
}
