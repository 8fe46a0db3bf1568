import type { Entry } from '../search/entry.ts'
import { placeImportance } from '../search/place-importance.ts'
import { reversedRing, signedArea } from '../source/join-rings.ts'
import type { MapSource, SourceFeature } from '../source/map-source.ts'
import { seaBetween } from './coast.ts'
import { type DrawStyle, drawStyle } from './layers.ts'
import { splitArea } from './split-area.ts'
import { landAround, surroundingsOf } from './world-land.ts'

/**
 * A feature of the base map. Rings are flat x, y in world units; an area's first ring is its outline, the others are
 * holes.
 */
export interface MapFeature extends DrawStyle {
  shape: 'point' | 'line' | 'area'
  rings: number[][]
}

/** All features of the base map: sea, drawable features, joined lines, and the places that search finds. */
export function* baseMap(source: MapSource, entries: Entry[]): Generator<MapFeature> {
  const wide = surroundingsOf(source.bounds)
  const sea = { layer: 'water', minZoom: 0, attributes: { kind: 'sea' }, shape: 'area' } as const
  const near = joinLines(source.coast(), true)
  for (const rings of polygons(seaBetween(near, landAround(wide), source.bounds, wide)))
    yield* areaParts({ ...sea, rings })

  const lines = new Map<string, { drawn: DrawStyle; lines: number[][] }>()
  const named = new Map<string, SourceFeature['tags']>()
  for (const feature of source.features()) {
    if (feature.tags.name) named.set(feature.id, feature.tags)
    const look = drawStyle(feature)
    if (!look) continue
    if (feature.shape !== 'line') {
      if (feature.shape === 'point') yield { ...look, shape: 'point', rings: feature.rings }
      else for (const rings of polygons(feature.rings)) yield* areaParts({ ...look, shape: 'area', rings })
      continue
    }
    const key = JSON.stringify(look)
    const kind = lines.get(key) ?? { drawn: look, lines: [] }
    lines.set(key, kind)
    kind.lines.push(...(feature.tags.oneway === '-1' ? feature.rings.map(reversedRing) : feature.rings))
  }
  for (const kind of lines.values()) {
    for (const line of joinLines(kind.lines, kind.drawn.attributes.oneway === 1)) {
      yield { ...kind.drawn, shape: 'line', rings: [line] }
    }
  }
  yield* pointsOfInterest(named, entries)
}

function pointsOfInterest(
  tagsOf: ReadonlyMap<string, SourceFeature['tags']>,
  entries: Entry[],
): MapFeature[] {
  return entries.flatMap((entry) => {
    const found = entry.kind === 'place' ? placeImportance(tagsOf.get(entry.id) ?? {}) : null
    if (!found || tagsOf.get(entry.id)?.place) return []
    const minZoom = entry.importance >= 0.6 ? 14 : entry.importance >= 0.4 ? 15 : 16
    const attributes = {
      name: entry.label,
      kind: found.kind,
      rank: Math.round((1 - Math.min(1, entry.importance)) * 20),
    }
    return [{ layer: 'poi', minZoom, attributes, shape: 'point', rings: [[entry.x, entry.y]] } as const]
  })
}

/** An area, in parts if it has very many points; `cut` parts are drawn without an outline. */
function areaParts(area: MapFeature): MapFeature[] {
  const parts = splitArea(area.rings)
  if (parts.length === 1) return [area]
  return parts.map((rings) => ({ ...area, attributes: { ...area.attributes, cut: 1 }, rings }))
}

/** The rings of an area as polygons: a ring that winds like the first is an outline, the others are holes. */
function polygons(rings: number[][]): number[][][] {
  const found: number[][][] = []
  if (rings.length === 0) return []
  const outer = Math.sign(signedArea(rings[0] as number[]))
  for (const ring of rings) {
    if (found.length === 0 || Math.sign(signedArea(ring)) === outer) found.push([ring])
    else found.at(-1)?.push(ring)
  }
  return found
}

/**
 * Joins lines of one kind where exactly two of them meet, so that a street cut at junctions or tile borders becomes one
 * long line: fewer features, more room for labels. With `directed`, only an end joins a beginning; otherwise lines may
 * be reversed. Lines are flat x, y; closed lines are not joined.
 */
export function joinLines(lines: number[][], directed: boolean): number[][] {
  const meeting = new Map<string, number[]>()
  lines.forEach((line, index) => {
    for (const key of [head(line), tail(line)]) meeting.set(key, [...(meeting.get(key) ?? []), index])
  })
  const used = new Uint8Array(lines.length)
  const follow = (key: string, forward: boolean): number[] | null => {
    const here = meeting.get(key) as number[]
    if (here.length !== 2) return null
    const next = here.find((index) => !used[index])
    if (next === undefined) return null
    const line = lines[next] as number[]
    const fits = (forward ? head(line) : tail(line)) === key
    if (!fits && directed) return null
    used[next] = 1
    return fits ? line : reversedRing(line)
  }
  const joined: number[][] = []
  lines.forEach((line, index) => {
    if (used[index]) return
    used[index] = 1
    const parts = [line]
    for (let next = follow(tail(line), true); next; next = follow(tail(next), true)) parts.push(next)
    for (let next = follow(head(line), false); next; next = follow(head(next), false)) parts.unshift(next)
    joined.push(parts.length === 1 ? line : parts.flatMap((part, at) => (at === 0 ? part : part.slice(2))))
  })
  return joined
}

function head(line: number[]): string {
  return `${line[0]},${line[1]}`
}

function tail(line: number[]): string {
  return `${line.at(-2)},${line.at(-1)}`
}
