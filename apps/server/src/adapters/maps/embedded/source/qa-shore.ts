import { MinHeap } from '@hansom/domain/min-heap'
import { isInsideRing, orderRings, reversedRing } from './join-rings.ts'
import type { MapSource, SourceFeature } from './map-source.ts'

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
 * The coast as lines with land on their left: the shore is the cheapest path along shore lines from the western to the
 * eastern border, with the sea south of it; islets in the sea are closed lines.
 */
export function qaCoast(features: readonly SourceFeature[], bounds: MapSource['bounds']): number[][] {
  const shore = shoreLine(features, bounds)
  if (shore.length === 0) return []
  const { west, east, south } = bounds
  const sea = [...shore, east, south, west, south, shore[0] as number, shore[1] as number]
  const islets = features
    .filter(({ tags, shape }) => shape === 'area' && tags.place === 'islet')
    .flatMap(({ rings }) => rings)
    .filter((ring) => isInsideRing(sea, ring[0] as number, ring[1] as number))
  return [shore, ...orderRings(islets, []).map(reversedRing)]
}

function shoreLine(features: readonly SourceFeature[], bounds: MapSource['bounds']): number[] {
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
