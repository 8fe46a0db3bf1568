import type { Tags } from './map-source.ts'

/** Keys, or beginnings of keys before a colon, that say nothing about the place: sources, imports, survey data. */
const ignored = new Set([
  'source',
  'created_by',
  'fixme',
  'FIXME',
  'note',
  'description',
  'comment',
  'website',
  'contact',
  'phone',
  'email',
  'fax',
  'url',
  'image',
  'wikidata',
  'wikipedia',
  'wikimedia_commons',
  'opening_hours',
  'ele',
  'height',
  'roof',
  'start_date',
  'check_date',
  'survey',
  'tiger',
  'gnis',
  'mvdgis',
  'payment',
  'diet',
  'internet_access',
])

/** OpenStreetMap limits values to 255 characters; longer ones are broken or hostile. */
const longestValue = 255

const known = new Map<string, string>()
const mostKnown = 500_000

/** One string object for equal texts: each block of an extract has its own copies. */
function shared(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  if (known.size < mostKnown) known.set(text, text)
  return text
}

/** The tags that the product uses, without sources and survey data. */
export function usedTags(tags: Tags): Tags {
  const used: Tags = {}
  for (const key in tags) {
    const value = tags[key]
    if (
      value === undefined ||
      key === 'undefined' ||
      value.length > longestValue ||
      key.length > longestValue
    )
      continue
    const colon = key.indexOf(':')
    if (ignored.has(colon < 0 ? key : key.slice(0, colon))) continue
    used[shared(key)] = shared(value)
  }
  return used
}

/** Keys of points that search, routing or the map use; other points, such as trees and poles, are left out. */
const pointKeys = [
  'name',
  'addr:housenumber',
  'addr:street',
  'addr:city',
  'addr:place',
  'aeroway',
  'amenity',
  'barrier',
  'brand',
  'craft',
  'entrance',
  'healthcare',
  'historic',
  'leisure',
  'office',
  'operator',
  'place',
  'public_transport',
  'railway',
  'shop',
  'tourism',
] as const

export const isUsedPoint = (tags: Tags): boolean => pointKeys.some((key) => tags[key] !== undefined)
