import type { SourceFeature } from '../source/map-source.ts'
import type { Roadside } from '../streets/snap.ts'
import { metresBetween } from '../world.ts'
import { type Box, boundsOf, type Entry, middle, middleOf } from './entry.ts'
import type { Localities } from './localities.ts'
import { placeImportance } from './place-importance.ts'
import { isWithin, StoppingPoints } from './stopping-points.ts'
import { nameKey, words } from './words.ts'

/** Local words for kinds of places, so that "farmacia" finds a pharmacy whose name does not contain it. */
const kindWords: Record<string, string> = {
  aerodrome: 'aeropuerto',
  bakery: 'panaderia',
  bank: 'banco',
  bar: 'bar',
  beach: 'playa',
  bus_station: 'terminal de omnibus',
  butcher: 'carniceria',
  cafe: 'cafeteria',
  cemetery: 'cementerio',
  cinema: 'cine',
  clinic: 'clinica',
  embassy: 'embajada',
  fuel: 'estacion de servicio nafta',
  hairdresser: 'peluqueria',
  hardware: 'ferreteria',
  hospital: 'hospital sanatorio',
  hotel: 'hotel',
  library: 'biblioteca',
  mall: 'shopping centro comercial',
  museum: 'museo',
  park: 'parque',
  pharmacy: 'farmacia',
  place_of_worship: 'iglesia',
  police: 'comisaria policia',
  post_office: 'correo',
  restaurant: 'restaurante',
  school: 'escuela colegio liceo',
  stadium: 'estadio',
  station: 'estacion',
  supermarket: 'supermercado',
  theatre: 'teatro',
  university: 'universidad facultad',
  veterinary: 'veterinaria',
}

/** The local words for an OpenStreetMap tag value, or none. */
function wordsForKind(kind: string): string[] {
  const found = kindWords[kind]
  return found === undefined ? [] : [found]
}

/** A place in the data; several may describe the same one. */
interface Found {
  entry: Entry
  /** Its street and house number; empty if the data has none. */
  street: string
  /** A neighborhood or town, not a single spot. */
  isLocality: boolean
  /** Only for an area. */
  bounds: Box | null
  /** Metres from the nearest street. */
  away: number
}

/** One entry per named place that people ride to, without duplicates. */
export function placeEntries(
  features: SourceFeature[],
  localities: Localities,
  roadside: Roadside,
  streets: readonly Entry[],
): Entry[] {
  const stops = new StoppingPoints(features, roadside)
  const found: Found[] = []
  for (const { feature, rings } of mergeParts(features)) {
    const { tags, shape, id } = feature
    if (!tags.name || (tags.highway && shape === 'line')) continue
    const ranked = placeImportance(tags)
    if (!ranked || words(tags.name).length === 0) continue
    const bounds = shape === 'area' ? boundsOf(rings) : null
    const { x, y } = bounds ? middleOf(bounds) : middle(shape, feature.rings[0] as number[])
    const street = [tags['addr:street'], tags['addr:housenumber']].filter(Boolean).join(' ')
    const stop = bounds ? stops.of(tags, rings) : undefined
    const spot = stop ?? { x, y }
    const locality = localities
      .of(spot.x, spot.y)
      .split(', ')
      .filter((part) => part !== '' && part !== tags.name)
    const others = [tags.alt_name, tags.short_name, tags.old_name, tags['name:es'], tags.brand]
    const entry: Entry = {
      id,
      label: tags.name,
      detail: [...(tags['addr:street'] ? [street] : []), ...locality].join(', '),
      kind: 'place',
      x,
      y,
      importance: ranked.importance + (bounds ? 0.05 : 0),
      alsoKnownAs: [
        ...others.filter((name): name is string => name !== undefined && name !== tags.name),
        ...wordsForKind(ranked.kind),
      ],
      ...(stop ? { stop } : {}),
    }
    const isLocality = tags.place !== undefined && tags.place !== 'square'
    found.push({
      entry,
      street: tags['addr:street'] ? street : '',
      isLocality,
      bounds,
      away: roadside.stopNear(spot.x, spot.y)?.away ?? Number.POSITIVE_INFINITY,
    })
  }
  const unique = removeDuplicates(found)
  addStreets(unique, streets, roadside)
  hideStreetsOf(unique, streets)
  return unique.map(({ entry }) => entry)
}

/** Removes duplicates of a place: keeps the most important one, or else the one nearest to a street. */
function removeDuplicates(found: Found[]): Found[] {
  const byName = new Map<string, Found[]>()
  for (const one of found.toSorted((a, b) => b.entry.importance - a.entry.importance || a.away - b.away)) {
    const key = nameKey(one.entry.label)
    const alike = byName.get(key) ?? []
    if (alike.some((other) => isSame(other, one))) continue
    byName.set(key, [...alike, one])
  }
  return [...byName.values()].flat()
}

const sameSpotMetres = 150
const sameAddressMetres = 500
const sameLocalityMetres = 1_000
const insideMetres = 200

/**
 * Whether two records with the same name are one place: within the other's grounds, at its street address, or close to
 * it.
 */
function isSame(one: Found, other: Found): boolean {
  const [a, b] = [one.entry, other.entry]
  if (one.bounds && !one.isLocality && isWithin(b, one.bounds, insideMetres)) return true
  if (one.isLocality !== other.isLocality) return false
  const metres = metresBetween(a.x, a.y, b.x, b.y)
  if (one.isLocality) return metres <= sameLocalityMetres
  if (one.street !== '' && other.street !== '') {
    return one.street === other.street && metres <= sameAddressMetres
  }
  return metres <= sameSpotMetres
}

const nearStreetMetres = 100

/**
 * Adds the street to places whose text would equal another place or street, such as two branches in one neighborhood.
 */
function addStreets(places: Found[], streets: readonly Entry[], roadside: Roadside): void {
  const reads = ({ label, detail }: Entry) => `${label}\n${detail}`
  const times = new Map<string, number>()
  for (const entry of [...streets, ...places.map((place) => place.entry)]) {
    times.set(reads(entry), (times.get(reads(entry)) ?? 0) + 1)
  }
  for (const { entry, street } of places) {
    if (times.get(reads(entry)) === 1 || street !== '') continue
    const name = roadside.nameNear(entry.x, entry.y, nearStreetMetres)
    if (name !== null) entry.detail = [name, entry.detail].filter(Boolean).join(', ')
  }
}

const aroundMetres = 50

/** Hides a street that runs around or through a place of the same name; the place represents it. */
function hideStreetsOf(places: Found[], streets: readonly Entry[]): void {
  const byName = new Map<string, Entry[]>()
  for (const street of streets) {
    const key = nameKey(street.label)
    byName.set(key, [...(byName.get(key) ?? []), street])
  }
  for (const { entry, bounds, isLocality } of places) {
    if (!bounds || isLocality) continue
    for (const street of byName.get(nameKey(entry.label)) ?? []) {
      if (isWithin(street, bounds, aroundMetres)) street.unlisted = true
    }
  }
}

/**
 * Named features, each once with the outlines of all its parts: tile borders may cut an area. The returned feature is
 * the most detailed part.
 */
function mergeParts(features: SourceFeature[]): Iterable<{ feature: SourceFeature; rings: number[][] }> {
  const named = new Map<string, { feature: SourceFeature; rings: number[][] }>()
  for (const feature of features) {
    if (!feature.tags.name) continue
    const known = named.get(feature.id)
    const isFuller = (known?.feature.rings[0]?.length ?? 0) < (feature.rings[0]?.length ?? 0)
    named.set(feature.id, {
      feature: known && !isFuller ? known.feature : feature,
      rings: [...(known?.rings ?? []), ...feature.rings],
    })
  }
  return named.values()
}
