/** A small town for the doubles of map services: two-way streets in a grid, house numbers, a few places. */

export interface Point {
  lat: number
  lng: number
}

export interface GridObject extends Point {
  /** From 1, unique. */
  index: number
  kind: 'street' | 'house' | 'place'
  name: string
  /** Of a house. */
  street?: string
  number?: number
}

export interface GridRoute {
  meters: number
  seconds: number
  line: Point[]
}

export const town = { name: 'Montevideo', district: 'Centro', country: 'Uruguay', countryCode: 'UY' }
/** Southwest corner of the streets. */
const origin: Point = { lat: -34.92, lng: -56.2 }
/** Distance between parallel streets, degrees: about 500 meters. */
const step: Point = { lat: 0.0045, lng: 0.0055 }
const westEast = ['Avenida Rivera', 'Calle Colonia', 'Calle Mercedes', 'Calle Uruguay', 'Calle Paysandú']
const southNorth = ['Bulevar Ejido', 'Calle Yaguarón', 'Calle Yi', 'Calle Cuareim', 'Calle Ibicuy']
const places = ['Mercado Central', 'Estación Norte', 'Hospital Grande']
const firstNumber = 1000
const metersPerSecond = 10
const earthMeters = 6_371_008.8
const radians = Math.PI / 180
/** Farther than this from every street, nothing is found. */
const reachMeters = 600

export const bounds: [west: number, south: number, east: number, north: number] = [
  origin.lng - step.lng,
  origin.lat - step.lat,
  origin.lng + step.lng * 5,
  // The island is north of the streets.
  origin.lat + step.lat * 8,
]
/** On an island without a bridge. */
export const island: Point = { lat: origin.lat + step.lat * 7, lng: origin.lng + step.lng }

export function metersBetween(a: Point, b: Point): number {
  const [dLat, dLng] = [(b.lat - a.lat) * radians, (b.lng - a.lng) * radians]
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(dLng / 2) ** 2
  return 2 * earthMeters * Math.asin(Math.sqrt(h))
}

interface Street {
  name: string
  /** The coordinate that all of its points share. */
  fixed: 'lat' | 'lng'
  at: number
}

const streets: Street[] = [
  ...westEast.map((name, row): Street => ({ name, fixed: 'lat', at: origin.lat + step.lat * row })),
  ...southNorth.map((name, column): Street => ({ name, fixed: 'lng', at: origin.lng + step.lng * column })),
]
const end: Point = { lat: origin.lat + step.lat * 4, lng: origin.lng + step.lng * 4 }
const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** The nearest point of a street. */
function onStreet({ fixed, at }: Street, { lat, lng }: Point): Point {
  return fixed === 'lat'
    ? { lat: at, lng: between(lng, origin.lng, end.lng) }
    : { lat: between(lat, origin.lat, end.lat), lng: at }
}

function snap(point: Point): { street: Street; at: Point } | null {
  const near = streets
    .map((street) => ({ street, at: onStreet(street, point) }))
    .sort((a, b) => metersBetween(point, a.at) - metersBetween(point, b.at))[0]
  return near && metersBetween(point, near.at) <= reachMeters ? near : null
}

export const objects: readonly GridObject[] = [
  ...streets.map(({ name, fixed, at }) => ({
    kind: 'street' as const,
    name,
    ...(fixed === 'lat'
      ? { lat: at, lng: origin.lng + step.lng * 1.9 }
      : { lat: origin.lat + step.lat * 1.9, lng: at }),
  })),
  ...streets.flatMap(({ name, fixed, at }) =>
    Array.from({ length: 12 }, (_, house) => {
      const along = 0.15 + house * 0.3
      const position =
        fixed === 'lat'
          ? { lat: at, lng: origin.lng + step.lng * along }
          : { lat: origin.lat + step.lat * along, lng: at }
      const number = firstNumber + house * 20
      return { kind: 'house' as const, name: `${name} ${number}`, street: name, number, ...position }
    }),
  ),
  ...places.map((name, index) => ({
    kind: 'place' as const,
    name,
    lat: origin.lat + step.lat * (index + 0.5),
    lng: origin.lng + step.lng * (index + 0.5),
  })),
].map((object, index) => ({ ...object, index: index + 1 }))

export const objectOf = (index: number): GridObject | undefined => objects[index - 1]

/** Best first. `exact` finds complete words only, otherwise also beginnings and words with up to two typing errors. */
export function findObjects(
  query: string,
  { limit, exact = false }: { limit: number; exact?: boolean },
): GridObject[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const scored = objects.flatMap((object) => {
    const own = wordsOf(object.name)
    const scores = words.map((word) => Math.min(...own.map((other) => distance(word, other, exact))))
    const worst = Math.max(...scores)
    // A number without its street and a street without its number are worse results.
    return worst < Number.POSITIVE_INFINITY
      ? [{ object, score: scores.reduce((sum, score) => sum + score, 0) + (own.length - words.length) * 0.1 }]
      : []
  })
  return scored
    .sort((a, b) => a.score - b.score || a.object.index - b.object.index)
    .slice(0, limit)
    .map(({ object }) => object)
}

/** The house within 40 meters, otherwise the street. */
export function objectNear(point: Point): GridObject | null {
  return objectsNear(point, 1)[0] ?? null
}

export function objectsNear(point: Point, limit: number): GridObject[] {
  const close = objects
    .filter((object) => metersBetween(point, object) <= 40)
    .sort((a, b) => metersBetween(point, a) - metersBetween(point, b))
  const street = snap(point)?.street.name
  const along = objects.filter(({ kind, name }) => kind === 'street' && name === street)
  return [...new Set([...close, ...along])].slice(0, limit)
}

/** Along the streets; null if a point is not near one. */
export function routeBetween(from: Point, to: Point): GridRoute | null {
  const [a, b] = [snap(from), snap(to)]
  if (a === null || b === null) return null
  const line = dedupe([a.at, ...corners(a, b), b.at])
  const meters = line.slice(1).reduce((sum, point, at) => sum + metersBetween(line[at] as Point, point), 0)
  return { meters, seconds: meters / metersPerSecond, line }
}

function corners(a: { street: Street; at: Point }, b: { street: Street; at: Point }): Point[] {
  if (a.street === b.street) return []
  const cross = (one: Street, other: Street): Point =>
    one.fixed === 'lat' ? { lat: one.at, lng: other.at } : { lat: other.at, lng: one.at }
  if (a.street.fixed !== b.street.fixed) return [cross(a.street, b.street)]
  const crossing = streets
    .filter(({ fixed }) => fixed !== a.street.fixed)
    .map((street) => [cross(a.street, street), cross(b.street, street)] as const)
  const length = ([one, two]: readonly [Point, Point]) =>
    metersBetween(a.at, one) + metersBetween(one, two) + metersBetween(two, b.at)
  return [...(crossing.sort((one, two) => length(one) - length(two))[0] ?? [])]
}

const dedupe = (line: Point[]) =>
  line.filter((point, at) => at === 0 || metersBetween(line[at - 1] as Point, point) > 0.01)

const wordsOf = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

function distance(word: string, other: string, exact: boolean): number {
  if (word === other) return 0
  if (exact || /\d/.test(word)) return Number.POSITIVE_INFINITY
  if (word.length >= 2 && other.startsWith(word)) return 0.5
  const edits = levenshtein(word, other)
  return word.length >= 4 && edits <= 2 ? edits : Number.POSITIVE_INFINITY
}

function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1]
    for (const [j, other] of Array.from(b).entries())
      next.push(
        Math.min(
          (row[j] as number) + (letter === other ? 0 : 1),
          (row[j + 1] as number) + 1,
          (next[j] as number) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) as number
}

/** Google's encoded polyline algorithm with the given precision. */
export function encodeLine(line: Point[], digits: number): string {
  let last = [0, 0]
  let text = ''
  for (const { lat, lng } of line) {
    const scaled = [lat, lng].map((degrees) => Math.round(degrees * 10 ** digits))
    for (const [axis, value] of scaled.entries()) {
      const change = value - (last[axis] as number)
      let bits = change < 0 ? ~(change << 1) : change << 1
      for (; bits >= 32; bits >>>= 5) text += String.fromCharCode((32 | (bits & 31)) + 63)
      text += String.fromCharCode(bits + 63)
    }
    last = scaled
  }
  return text
}
