import type { SourceFeature } from '../source/map-source.ts'
import { MinHeap } from '../streets/heap.ts'

/** Bounds in world units. */
export interface Box {
  west: number
  north: number
  east: number
  south: number
}

/**
 * The source has no coastline tag for the shore of the Rio de la Plata, which is the outline of a water relation. The
 * tiles contain no relations: most ways of the shore have only this mapper's note, some have no tags.
 */
const shoreNote = "Please don't tag as coastline"

/** Cost per meter: noted ways form the shore, untagged ways fill gaps, outlines of beaches and piers come last. */
function costPerUnit({ tags, shape }: SourceFeature): number | null {
  if (tags.note?.startsWith(shoreNote)) return 0.01
  if (shape === 'line' && Object.keys(tags).every((key) => key === 'source' || key === 'note')) return 1
  if (tags.natural === 'beach' || tags.man_made === 'pier' || tags.man_made === 'breakwater') return 2
  return null
}

/**
 * The sea within the source's bounds as rings of flat x, y: its outline, then its islands. The shore is the cheapest
 * path along shore lines from the western to the eastern border; the sea is south of it. Empty if no such path exists.
 */
export function seaRings(features: SourceFeature[], bounds: Box): number[][] {
  const shore = shoreLine(features, bounds)
  if (shore.length === 0) return []
  const outline = [
    ...shore,
    bounds.east,
    bounds.south,
    bounds.west,
    bounds.south,
    shore[0] as number,
    shore[1] as number,
  ]
  const islands = features
    .filter(({ tags, shape }) => shape === 'area' && tags.place === 'islet')
    .flatMap(({ rings }) => rings)
    .filter((ring) => within(outline, ring[0] as number, ring[1] as number))
  return [outline, ...islands]
}

function shoreLine(features: SourceFeature[], bounds: Box): number[] {
  const points: [number, number][] = []
  const links: { to: number; cost: number }[][] = []
  const pointAt = new Map<string, number>()
  const point = (x: number, y: number): number => {
    const known = pointAt.get(`${x},${y}`)
    if (known !== undefined) return known
    pointAt.set(`${x},${y}`, points.length)
    links.push([])
    return points.push([x, y]) - 1
  }
  const noted = new Set<number>()
  for (const feature of features) {
    const weight = feature.shape === 'point' ? null : costPerUnit(feature)
    if (weight === null) continue
    for (const ring of feature.rings) {
      for (let i = 2; i < ring.length; i += 2) {
        const [ax, ay, bx, by] = ring.slice(i - 2, i + 2) as [number, number, number, number]
        const [a, b] = [point(ax, ay), point(bx, by)]
        const cost = weight * Math.hypot(bx - ax, by - ay)
        links[a]?.push({ to: b, cost })
        links[b]?.push({ to: a, cost })
        if (weight < 1) noted.add(a).add(b)
      }
    }
  }
  const starts = [...noted].filter((at) => points[at]?.[0] === bounds.west)
  const ends = new Set([...noted].filter((at) => points[at]?.[0] === bounds.east))
  return cheapest(links, starts, ends).flatMap((at) => points[at] as [number, number])
}

function cheapest(links: { to: number; cost: number }[][], starts: number[], ends: Set<number>): number[] {
  const cost = new Float64Array(links.length).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(links.length).fill(-1)
  const queue = new MinHeap()
  for (const start of starts) {
    cost[start] = 0
    queue.push(0, start)
  }
  while (queue.size > 0) {
    const key = queue.leastKey
    const at = queue.pop()
    if (key > (cost[at] as number)) continue
    if (ends.has(at)) {
      const path: number[] = []
      for (let step = at; step !== -1; step = from[step] as number) path.push(step)
      return path.reverse()
    }
    for (const link of links[at] ?? []) {
      const total = key + link.cost
      if (total >= (cost[link.to] as number)) continue
      cost[link.to] = total
      from[link.to] = at
      queue.push(total, link.to)
    }
  }
  return []
}

function within(ring: number[], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[j], ring[j + 1]] as [number, number, number, number]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
