import type { Box } from './map-source.ts'

/**
 * Joins the ways of a multipolygon, each a list of nodes, to closed rings; the first node is repeated at the end. Ways
 * that do not close, such as those cut at an extract's border, are left out.
 */
export function joinRings(ways: readonly (readonly number[])[]): number[][] {
  const rings: number[][] = []
  const open: (readonly number[])[] = []
  for (const way of ways) {
    if (way.length < 2) continue
    if (way[0] === way.at(-1)) {
      if (way.length > 3) rings.push([...way])
    } else open.push(way)
  }
  const at = new Map<number, Set<number>>()
  const waysAt = (node: number) => {
    const known = at.get(node)
    if (known) return known
    const made = new Set<number>()
    at.set(node, made)
    return made
  }
  open.forEach((way, index) => {
    waysAt(way[0] as number).add(index)
    waysAt(way.at(-1) as number).add(index)
  })
  const take = (index: number) => {
    const way = open[index] as readonly number[]
    waysAt(way[0] as number).delete(index)
    waysAt(way.at(-1) as number).delete(index)
    return way
  }
  for (let start = 0; start < open.length; start++) {
    if (!waysAt(open[start]?.[0] as number).has(start)) continue
    const ring = [...take(start)]
    while (ring[0] !== ring.at(-1)) {
      const end = ring.at(-1) as number
      const [next] = waysAt(end)
      if (next === undefined) break
      const way = take(next)
      const ordered = way[0] === end ? way : way.toReversed()
      for (let i = 1; i < ordered.length; i++) ring.push(ordered[i] as number)
    }
    if (ring[0] === ring.at(-1) && ring.length > 3) rings.push(ring)
  }
  return rings
}

/** Twice the signed area of a closed ring of flat x, y. */
export function signedArea(ring: readonly number[]): number {
  let sum = 0
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    sum += ((ring[j] as number) - (ring[i] as number)) * ((ring[i + 1] as number) + (ring[j + 1] as number))
  }
  return sum
}

/** Whether a position is inside a closed ring of flat x, y (even-odd rule). */
export function isInsideRing(ring: readonly number[], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[j], ring[j + 1]] as [number, number, number, number]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/**
 * Orders the rings of an area: each outer ring is followed by the holes in it; outer rings get a positive area, holes a
 * negative one. Holes outside every outer ring are left out.
 */
export function orderRings(outer: readonly number[][], inner: readonly number[][]): number[][] {
  if (inner.length === 0) return outer.map((ring) => wound(ring, 1))
  const polygons = outer.map((ring) => ({
    ring: wound(ring, 1),
    box: boundsOf([ring]),
    holes: [] as number[][],
  }))
  for (const hole of inner) {
    const [x, y] = hole as [number, number]
    const around = polygons.find(
      ({ ring, box }) =>
        x >= box.west && x <= box.east && y >= box.north && y <= box.south && isInsideRing(ring, x, y),
    )
    around?.holes.push(wound(hole, -1))
  }
  return polygons.flatMap(({ ring, holes }) => [ring, ...holes])
}

const wound = (ring: number[], sign: 1 | -1) => (signedArea(ring) * sign >= 0 ? ring : reversedRing(ring))

/** The ring or line in the opposite direction. */
export function reversedRing(ring: readonly number[]): number[] {
  const reversed: number[] = []
  for (let i = ring.length - 2; i >= 0; i -= 2) reversed.push(ring[i] as number, ring[i + 1] as number)
  return reversed
}

/** The bounds of some rings or lines. */
export function boundsOf(rings: readonly (readonly number[])[]): Box {
  const box = { west: Infinity, north: Infinity, east: -Infinity, south: -Infinity }
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      box.west = Math.min(box.west, ring[i] as number)
      box.east = Math.max(box.east, ring[i] as number)
      box.north = Math.min(box.north, ring[i + 1] as number)
      box.south = Math.max(box.south, ring[i + 1] as number)
    }
  }
  return box
}
