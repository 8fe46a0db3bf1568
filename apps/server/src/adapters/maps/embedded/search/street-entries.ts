import type { SourceFeature } from '../source/map-source.ts'
import type { Entry } from './entry.ts'
import { unitsIn } from './entry.ts'
import type { Localities } from './localities.ts'
import { words } from './words.ts'

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
}

/** Finds the entry of a street name near a position: a name may exist in several parts of town. */
export type FindStreet = (name: string, x: number, y: number) => number | undefined

const sameStreetMetres = 700

/** One entry per street: lines with the same name whose points are within 700 m of each other count as one. */
export function streetEntries(
  features: SourceFeature[],
  localities: Localities,
): { entries: Entry[]; find: FindStreet } {
  const byName = new Map<string, SourceFeature[]>()
  for (const feature of features) {
    if (feature.shape !== 'line' || !feature.tags.highway || !feature.tags.name) continue
    const key = words(feature.tags.name).join(' ')
    if (key === '') continue
    const list = byName.get(key)
    if (list) list.push(feature)
    else byName.set(key, [feature])
  }
  const streetsByName = new Map<string, { at: number; street: Street }[]>()
  const entries: Entry[] = []
  for (const [key, lines] of byName) {
    const streets = groupConnected(lines).map((group) => toStreet(group, localities))
    streetsByName.set(
      key,
      streets.map((street) => ({ street, at: entries.push(street.entry) - 1 })),
    )
  }
  const known = new Map<string, { at: number; street: Street }[] | undefined>()
  const find: FindStreet = (name, x, y) => {
    if (!known.has(name)) known.set(name, streetsByName.get(words(name).join(' ')))
    const streets = known.get(name)
    if (!streets || streets.length === 1) return streets?.[0]?.at
    const distances = streets.map(({ street }) => leastDistance(street.points, x, y))
    return streets[distances.indexOf(Math.min(...distances))]?.at
  }
  return { entries, find }
}

/** Groups lines that pass through adjacent grid cells, transitively. */
function groupConnected(lines: SourceFeature[]): SourceFeature[][] {
  const cell = unitsIn(sameStreetMetres, lines[0]?.rings[0]?.[1] as number)
  const parent = lines.map((_, line) => line)
  const root = (line: number): number => {
    let at = line
    while (parent[at] !== at) at = parent[at] as number
    return at
  }
  const ownerOf = new Map<string, number>()
  lines.forEach(({ rings }, line) => {
    for (const [column, row] of rings.flatMap((ring) => cellsAlong(ring, cell))) {
      for (let dx = -1; dx <= 1; dx++) {
        for (let dy = -1; dy <= 1; dy++) {
          const owner = ownerOf.get(`${column + dx},${row + dy}`)
          if (owner !== undefined) parent[root(owner)] = root(line)
        }
      }
      ownerOf.set(`${column},${row}`, line)
    }
  })
  const groups = new Map<number, SourceFeature[]>()
  lines.forEach((feature, line) => {
    groups.set(root(line), [...(groups.get(root(line)) ?? []), feature])
  })
  return [...groups.values()]
}

function cellsAlong(ring: number[], cell: number): [number, number][] {
  const cells: [number, number][] = []
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i] as number
    const y = ring[i + 1] as number
    const px = i === 0 ? x : (ring[i - 2] as number)
    const py = i === 0 ? y : (ring[i - 1] as number)
    const steps = Math.max(1, Math.ceil(Math.hypot(x - px, y - py) / cell))
    for (let step = 1; step <= steps; step++) {
      const share = step / steps
      const next: [number, number] = [
        Math.floor((px + (x - px) * share) / cell),
        Math.floor((py + (y - py) * share) / cell),
      ]
      const last = cells.at(-1)
      if (last?.[0] !== next[0] || last[1] !== next[1]) cells.push(next)
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
  let best = 0
  for (let i = 2; i < points.length; i += 2) {
    const closer =
      Math.hypot((points[i] as number) - x, (points[i + 1] as number) - y) <
      Math.hypot((points[best] as number) - x, (points[best + 1] as number) - y)
    if (closer) best = i
  }
  const spot = { x: points[best] as number, y: points[best + 1] as number }
  const first = lines.reduce((a, b) => (Number(a.id.slice(1)) <= Number(b.id.slice(1)) ? a : b))
  const size = Math.min(0.15, 0.01 * lines.length)
  const classWeight = Math.max(
    ...lines.map(({ tags }) => classImportance[tags.highway?.replace('_link', '') ?? ''] ?? 0.2),
  )
  const others = lines.flatMap(({ tags }) => [
    tags.alt_name,
    tags.short_name,
    tags.old_name,
    tags['name:es'],
    tags.ref,
  ])
  const entry: Entry = {
    id: `s${first.id.slice(1)}`,
    label: mostUsed(lines.map(({ tags }) => tags.name as string)),
    detail: localities.of(spot.x, spot.y),
    kind: 'street',
    ...spot,
    importance: classWeight + size,
    alsoKnownAs: [...new Set(others.filter((name): name is string => name !== undefined))],
  }
  return { entry, points }
}

function mostUsed(names: string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
}

function leastDistance(points: number[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < points.length; i += 2) {
    least = Math.min(least, Math.hypot((points[i] as number) - x, (points[i + 1] as number) - y))
  }
  return least
}
