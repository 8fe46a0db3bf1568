import { boundsOf } from '../source/join-rings.ts'
import type { Box, SourceFeature } from '../source/map-source.ts'
import { type Entry, unitsIn } from './entry.ts'
import type { Localities } from './localities.ts'
import { otherNames, streetName } from './name-tags.ts'
import { meanings, nameKeys, words } from './words.ts'

const classImportance: Record<string, number> = {
  motorway: 0.8,
  trunk: 0.85,
  primary: 0.85,
  secondary: 0.7,
  tertiary: 0.55,
  residential: 0.4,
  unclassified: 0.4,
  pedestrian: 0.5,
  living_street: 0.4,
}

/** Connected segments of a street; a distant segment with the same name is another street. */
interface Street {
  entry: Entry
  points: number[]
  box: Box
}

/** Finds the index of a street by a name near a position: a name may exist in several parts of town. */
export type FindStreet = (name: string, x: number, y: number) => number | undefined

const sameStreetMetres = 700
/** A street farther than this from a position is another one. */
const reachMetres = 3_000

/**
 * One entry per street: lines with the same name whose points are within 700 m of each other, in one town where its
 * boundary is known. `find` knows streets by all their names, abbreviated or not.
 */
export function streetEntries(
  features: readonly SourceFeature[],
  localities: Localities,
): { entries: Entry[]; find: FindStreet } {
  const byName = new Map<string, SourceFeature[]>()
  const keys = new Map<string, string>()
  for (const feature of features) {
    const name = streetName(feature.tags) ?? ''
    const key = keys.get(name) ?? groupKey(name)
    keys.set(name, key)
    const ring = feature.rings[0]
    if (key === '' || !ring) continue
    const at = (ring.length >> 2) * 2
    const town = localities.townAt(ring[at] as number, ring[at + 1] as number) ?? ''
    append(byName, `${key}\n${town}`, feature)
  }
  const streets: Street[] = []
  for (const lines of byName.values()) {
    for (const group of groupConnected(lines)) streets.push(toStreet(group, localities))
  }
  return { entries: streets.map(({ entry }) => entry), find: streetFinder(streets) }
}

/** Names of one street: abbreviations with a single meaning are spelled out. */
function groupKey(name: string): string {
  return words(name)
    .map((word) => {
      const [meaning, ...more] = meanings(word)
      return meaning === undefined || more.length > 0 ? word : meaning
    })
    .join(' ')
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Looks streets up by any of their names; of several, the nearest one within 3 km. */
function streetFinder(streets: readonly Street[]): FindStreet {
  const byKey = new Map<string, number[]>()
  streets.forEach(({ entry: { label, alsoKnownAs } }, street) => {
    const keys = new Set([label, ...label.split(/[/;]/), ...alsoKnownAs].flatMap(nameKeys))
    for (const key of keys) append(byKey, key, street)
  })
  const known = new Map<string, number[]>()
  const candidates = (name: string): number[] => {
    const all = new Set(nameKeys(name).flatMap((key) => byKey.get(key) ?? []))
    return [...all]
  }
  return (name, x, y) => {
    const found = known.get(name) ?? candidates(name)
    known.set(name, found)
    let nearest: number | undefined
    let least = unitsIn(reachMetres, y)
    for (const street of found) {
      const { box, points } = streets[street] as Street
      if (distanceToBox(box, x, y) >= least) continue
      const away = leastDistance(points, x, y)
      if (away >= least) continue
      least = away
      nearest = street
    }
    return nearest
  }
}

/** Groups lines that pass through adjacent grid cells, transitively. */
function groupConnected(lines: SourceFeature[]): SourceFeature[][] {
  if (lines.length === 1) return [lines]
  const cell = unitsIn(sameStreetMetres, lines[0]?.rings[0]?.[1] as number)
  const parent = lines.map((_, line) => line)
  const root = (line: number): number => {
    let at = line
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number
      at = parent[at] as number
    }
    return at
  }
  const ownerOf = new Map<number, number>()
  lines.forEach(({ rings }, line) => {
    for (const own of rings.flatMap((ring) => cellsAlong(ring, cell))) {
      for (let dx = -1; dx <= 1; dx++) {
        for (let dy = -1; dy <= 1; dy++) {
          const owner = ownerOf.get(own + dx * cellsPerRow + dy)
          if (owner !== undefined) parent[root(owner)] = root(line)
        }
      }
      ownerOf.set(own, line)
    }
  })
  const groups = new Map<number, SourceFeature[]>()
  lines.forEach((feature, line) => {
    append(groups, root(line), feature)
  })
  return [...groups.values()]
}

const cellsPerRow = 2 ** 24

/** The cells that a line passes, each as column * 2^24 + row. */
function cellsAlong(ring: number[], cell: number): number[] {
  const cells: number[] = []
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i] as number
    const y = ring[i + 1] as number
    const px = i === 0 ? x : (ring[i - 2] as number)
    const py = i === 0 ? y : (ring[i - 1] as number)
    const steps = Math.max(1, Math.ceil(Math.hypot(x - px, y - py) / cell))
    for (let step = 1; step <= steps; step++) {
      const share = step / steps
      const next =
        Math.floor((px + (x - px) * share) / cell) * cellsPerRow + Math.floor((py + (y - py) * share) / cell)
      if (cells.at(-1) !== next) cells.push(next)
    }
  }
  return cells
}

function toStreet(lines: SourceFeature[], localities: Localities): Street {
  const points = lines.flatMap(({ rings }) => rings.flat())
  let [x, y] = [0, 0]
  for (let i = 0; i < points.length; i += 2) {
    x += points[i] as number
    y += points[i + 1] as number
  }
  x /= points.length / 2
  y /= points.length / 2
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (let i = 0; i < points.length; i += 2) {
    const away = Math.hypot((points[i] as number) - x, (points[i + 1] as number) - y)
    if (away < least) [best, least] = [i, away]
  }
  const spot = { x: points[best] as number, y: points[best + 1] as number }
  const first = lines.reduce((a, b) => (Number(a.id.slice(1)) <= Number(b.id.slice(1)) ? a : b))
  const size = Math.min(0.15, 0.01 * lines.length)
  const classWeight = lines.reduce(
    (most, { tags }) => Math.max(most, classImportance[tags.highway?.replace('_link', '') ?? ''] ?? 0.2),
    0,
  )
  const label = mostUsed(lines.map(({ tags }) => streetName(tags) as string))
  const others = new Set(lines.flatMap(({ tags }) => [tags.name as string, ...otherNames(tags)]))
  others.delete(label)
  const locality = localities.numberAt(spot.x, spot.y)
  const entry: Entry = {
    id: `s${first.id.slice(1)}`,
    label,
    detail: localities.all[locality] as string,
    locality,
    kind: 'street',
    ...spot,
    importance: classWeight + size,
    alsoKnownAs: [...others].filter(Boolean),
  }
  return { entry, points, box: boundsOf([points]) }
}

function mostUsed(names: string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
}

function distanceToBox({ west, north, east, south }: Box, x: number, y: number): number {
  return Math.hypot(Math.max(west - x, 0, x - east), Math.max(north - y, 0, y - south))
}

function leastDistance(points: number[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < points.length; i += 2) {
    least = Math.min(least, Math.hypot((points[i] as number) - x, (points[i + 1] as number) - y))
  }
  return least
}
