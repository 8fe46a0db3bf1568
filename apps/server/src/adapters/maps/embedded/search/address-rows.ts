import type { Tags } from '../source/map-source.ts'
import type { AddressPoint, SearchSource } from './collect.ts'
import { type Entry, unitsIn } from './entry.ts'
import { splitNumbers } from './house-number-text.ts'
import { impliedNumbers } from './interpolation.ts'
import type { Localities } from './localities.ts'
import type { FindStreet } from './street-entries.ts'
import { nameKey } from './words.ts'

/** One house number of a street or, in villages without street names, of a place. */
export interface AddressRow {
  owner: Entry
  /** As tagged. */
  text: string
  /** The OpenStreetMap id with its type. */
  id: string
  x: number
  y: number
  locality: number
  postcode?: string | undefined
}

const placeMetres = 5_000
const addedMetres = 3_000

/**
 * The house numbers of the source. A name that neither a street nor a place nearby has becomes an entry of its own, in
 * `added`: the data of a new district may have its addresses before its streets.
 */
export function addressRows(
  source: SearchSource,
  streets: { entries: Entry[]; find: FindStreet },
  places: readonly Entry[],
  localities: Localities,
): { rows: AddressRow[]; added: Entry[] } {
  const placesByName = new EntriesByName(places)
  const added = new EntriesByName([])
  const rows: AddressRow[] = []

  const ownerOf = ({ id, tags, x, y }: AddressPoint): Entry | undefined => {
    const { 'addr:street': street, 'addr:place': place } = tags
    const name = street ?? place
    if (name === undefined)
      return placesByName.nearest(tags['addr:hamlet'] ?? tags['addr:city'], x, y, placeMetres)
    const index = street === undefined ? undefined : streets.find(street, x, y)
    if (index !== undefined) return streets.entries[index]
    const known = placesByName.nearest(name, x, y, placeMetres) ?? added.nearest(name, x, y, addedMetres)
    if (known || nameKey(name) === '') return known
    const locality = localities.numberAt(x, y)
    return added.add({
      id: `a${id}`,
      label: name,
      detail: localities.all[locality] as string,
      locality,
      kind: street === undefined ? 'place' : 'street',
      x,
      y,
      importance: 0.35,
      alsoKnownAs: [],
    })
  }

  for (const address of source.addresses) {
    const texts = splitNumbers(address.tags['addr:housenumber'] ?? '')
    const owner = texts.length > 0 ? ownerOf(address) : undefined
    if (!owner) continue
    const { id, x, y } = address
    const locality = localities.numberAt(x, y)
    const postcode = address.tags['addr:postcode']?.trim()
    for (const text of texts) rows.push({ owner, text, id, x, y, locality, postcode })
  }
  const implied = impliedNumbers(source.interpolations, source.addresses).flatMap((one): AddressRow[] => {
    const { id, number, street, x, y } = one
    const owner = ownerOf({ id, x, y, tags: { 'addr:street': street } satisfies Tags })
    return owner ? [{ owner, text: String(number), id, x, y, locality: localities.numberAt(x, y) }] : []
  })
  return { rows: [...rows, ...unmapped(implied, rows)], added: added.all }
}

/** The implied numbers that no address of their street has. */
function unmapped(implied: AddressRow[], rows: readonly AddressRow[]): AddressRow[] {
  if (implied.length === 0) return []
  const known = new Map<Entry, Set<string>>(implied.map(({ owner }) => [owner, new Set()]))
  for (const { owner, text } of rows) known.get(owner)?.add(text)
  return implied.filter(({ owner, text }) => {
    const texts = known.get(owner)
    if (texts?.has(text)) return false
    texts?.add(text)
    return true
  })
}

class EntriesByName {
  readonly all: Entry[] = []
  private readonly byKey = new Map<string, Entry[]>()

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.add(entry)
  }

  add(entry: Entry): Entry {
    this.all.push(entry)
    for (const key of new Set([entry.label, ...entry.alsoKnownAs].map(nameKey))) {
      const known = this.byKey.get(key)
      if (known) known.push(entry)
      else this.byKey.set(key, [entry])
    }
    return entry
  }

  nearest(name: string | undefined, x: number, y: number, metres: number): Entry | undefined {
    let nearest: Entry | undefined
    let least = unitsIn(metres, y)
    for (const entry of (name && this.byKey.get(nameKey(name))) || []) {
      const away = Math.hypot(entry.x - x, entry.y - y)
      if (away <= least) [nearest, least] = [entry, away]
    }
    return nearest
  }
}
