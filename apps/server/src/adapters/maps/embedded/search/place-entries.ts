import { boundsOf } from '../source/join-rings.ts'
import type { SourceFeature, Tags } from '../source/map-source.ts'
import { type Entry, middle, middleOf } from './entry.ts'
import { kindLabel, kindToken } from './kind-words.ts'
import type { Localities } from './localities.ts'
import { otherNames } from './name-tags.ts'
import { placeImportance } from './place-importance.ts'
import { type Found, uniquePlaces } from './same-place.ts'
import { isWithin, type RoadsNearby, StoppingPoints } from './stopping-points.ts'
import { nameKey, words } from './words.ts'

export interface NamedRoadsNearby extends RoadsNearby {
  /** The name of the nearest street that has one, or null. */
  nameNear(x: number, y: number, within: number): string | null
}

/** What places are made of, see `collectSearchSource`; `language` (ISO 639-1) is that of labels for unnamed places. */
export interface PlaceSource {
  places: readonly SourceFeature[]
  entrances: readonly SourceFeature[]
  localities: Localities
  roadside: NamedRoadsNearby
  language: string
}

/** One entry per place that people ride to, without duplicates. */
export function placeEntries(
  { places, entrances, localities, roadside, language }: PlaceSource,
  streets: readonly Entry[],
): Entry[] {
  const stops = new StoppingPoints(entrances, roadside)
  const found: Found[] = []
  for (const { feature, rings } of mergeParts(places)) {
    const { tags, shape, id } = feature
    const ranked = placeImportance(tags)
    const label = ranked && placeLabel(tags, ranked.kind, language)
    if (!ranked || !label || words(label).length === 0) continue
    const bounds = shape === 'area' ? boundsOf(rings) : null
    const { x, y } = bounds ? middleOf(bounds) : middle(shape, feature.rings[0] as number[])
    const street = [tags['addr:street'], tags['addr:housenumber']].filter(Boolean).join(' ')
    const isLocality = tags.place !== undefined && tags.place !== 'square'
    const stop = bounds ? stops.of(tags, rings) : undefined
    const spot = stop ?? { x, y }
    const locality = localities.numberAt(spot.x, spot.y)
    const parts = (localities.all[locality] as string)
      .split(', ')
      .filter((part) => part !== '' && part !== label)
    const token = kindToken(ranked.kind)
    const entry: Entry = {
      id,
      label,
      detail: [...(tags['addr:street'] ? [street] : []), ...parts].join(', '),
      locality,
      kind: 'place',
      x,
      y,
      importance: ranked.importance + (bounds ? 0.05 : 0) - (tags.name ? 0 : unnamedLoss),
      alsoKnownAs: otherNames(tags).filter((name) => name !== label),
      ...(token ? { kindToken: token } : {}),
      ...(stop ? { stop } : {}),
    }
    found.push({
      entry,
      street: tags['addr:street'] ? street : '',
      isLocality,
      bounds,
      away: () => roadside.stopNear(spot.x, spot.y)?.away ?? Number.POSITIVE_INFINITY,
    })
  }
  const unique = uniquePlaces(found)
  addStreets(unique, streets, roadside)
  hideStreetsOf(unique, streets)
  return unique.map(({ entry }) => entry)
}

/** An unnamed place ranks below named ones of its kind. */
const unnamedLoss = 0.1
/** Kinds that people ride to even if neither a name nor a brand is known. */
const foundUnnamed = new Set([
  'bus_station',
  'fuel',
  'hospital',
  'pharmacy',
  'police',
  'station',
  'taxi',
  'townhall',
])
/** Kinds for which the operator is what people call the place. */
const calledByOperator = new Set(['bank', 'clinic', 'fuel', 'hospital', 'parking', 'post_office', 'taxi'])

/** A place's name, or else its brand, operator or kind; null if none of these identifies it. */
function placeLabel(tags: Tags, kind: string, language: string): string | null {
  if (tags.name) return tags.name
  if (tags.brand) return tags.brand
  if (tags.operator && calledByOperator.has(kind)) return tags.operator
  return foundUnnamed.has(kind) ? kindLabel(kind, language) : null
}

const nearStreetMetres = 100

/**
 * Adds the street to places whose text would equal another place or street, such as two branches in one neighborhood.
 */
function addStreets(places: Found[], streets: readonly Entry[], roadside: NamedRoadsNearby): void {
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
    const known = byName.get(key)
    if (known) known.push(street)
    else byName.set(key, [street])
  }
  for (const { entry, bounds, isLocality } of places) {
    if (!bounds || isLocality) continue
    for (const street of byName.get(nameKey(entry.label)) ?? []) {
      if (isWithin(street, bounds, aroundMetres)) street.unlisted = true
    }
  }
}

/**
 * Features, each once with the outlines of all its parts: tile borders may cut an area. The returned feature is the
 * most detailed part.
 */
function mergeParts(
  features: readonly SourceFeature[],
): Iterable<{ feature: SourceFeature; rings: number[][] }> {
  const named = new Map<string, { feature: SourceFeature; rings: number[][] }>()
  for (const feature of features) {
    const known = named.get(feature.id)
    const isFuller = (known?.feature.rings[0]?.length ?? 0) < (feature.rings[0]?.length ?? 0)
    named.set(feature.id, {
      feature: known && !isFuller ? known.feature : feature,
      rings: known ? [...known.rings, ...feature.rings] : feature.rings,
    })
  }
  return named.values()
}
