import { isInsideRing, orderRings, reversedRing, signedArea } from '../source/join-rings.ts'
import type { Box } from '../source/map-source.ts'

/** A line of flat x, y with land on its left, as `natural=coastline` requires; closed lines repeat their first point. */
type Line = number[]

/**
 * The sea in `wide` as polygons in the order of `orderRings`. Within `bounds` the coast is `near`, from the region's
 * data; around it is `far`, a coarse world map's land as closed lines. Where the near coast leaves the bounds, the far
 * one continues it, so that no edge is drawn where the data ends.
 */
export function seaBetween(near: readonly Line[], far: readonly Line[], bounds: Box, wide: Box): number[][] {
  const inner = near
    .flatMap((line) => pieces(line, bounds).filter(({ inside }) => inside))
    .map(({ line }) => line)
  const outer = far
    .flatMap((line) => pieces(line, wide).filter(({ inside }) => inside))
    .flatMap(({ line }) => pieces(line, bounds).filter(({ inside }) => !inside))
    .map(({ line }) => line)
  const extended = inner.filter(isOpen).map((line) => extendTo(bounds, line))
  const open = glue(extended, outer.filter(isOpen), bounds)
  const closed = [
    ...inner.filter((line) => !isOpen(line)),
    ...outer.filter((line) => !isOpen(line)),
    ...open.closed,
  ]
  const water = closed.filter((line) => signedArea(line) > 0)
  const islands = closed.filter((line) => signedArea(line) < 0)
  const around = ringsAlong(open.lines, wide)
  if (open.lines.length === 0 && islands.length > 0) {
    const isLand = far.some((land) => isInsideRing(land, wide.west, wide.north))
    if (!isLand) around.push(outline(wide))
  }
  return orderRings([...around, ...water], islands)
}

const isOpen = (line: Line) => line[0] !== line.at(-2) || line[1] !== line.at(-1)

const outline = ({ west, north, east, south }: Box): Line => [
  west,
  north,
  east,
  north,
  east,
  south,
  west,
  south,
  west,
  north,
]

/** Splits a line where it crosses the sides of a box. */
export function pieces(line: Line, box: Box): { inside: boolean; line: Line }[] {
  const found: { inside: boolean; line: Line }[] = []
  let current: { inside: boolean; line: Line } | null = null
  const add = (ax: number, ay: number, bx: number, by: number) => {
    if (ax === bx && ay === by) return
    const inside = isIn(box, (ax + bx) / 2, (ay + by) / 2)
    if (current?.inside === inside) current.line.push(bx, by)
    else {
      current = { inside, line: [ax, ay, bx, by] }
      found.push(current)
    }
  }
  for (let i = 2; i < line.length; i += 2) {
    const [ax, ay, bx, by] = line.slice(i - 2, i + 2) as [number, number, number, number]
    let [px, py] = [ax, ay]
    for (const share of crossings(ax, ay, bx, by, box)) {
      const [x, y] = onSides(box, ax + share * (bx - ax), ay + share * (by - ay))
      add(px, py, x, y)
      px = x
      py = y
    }
    add(px, py, bx, by)
  }
  const [first] = found
  const last = found.at(-1)
  // A closed line may start in the middle of a piece.
  if (first && last && first !== last && first.inside === last.inside && !isOpen(line)) {
    found.pop()
    first.line = [...last.line, ...first.line.slice(2)]
  }
  return found
}

const isIn = ({ west, north, east, south }: Box, x: number, y: number) =>
  x >= west && x <= east && y >= north && y <= south

/** Where a segment crosses the lines of a box's sides, as sorted shares of its length. */
function crossings(ax: number, ay: number, bx: number, by: number, box: Box): number[] {
  const shares: number[] = []
  for (const side of [box.west, box.east]) if (ax < side !== bx < side) shares.push((side - ax) / (bx - ax))
  for (const side of [box.north, box.south]) if (ay < side !== by < side) shares.push((side - ay) / (by - ay))
  return shares.sort((a, b) => a - b)
}

/** Moves a crossing that is beside a side by rounding onto it. */
function onSides({ west, north, east, south }: Box, x: number, y: number): [number, number] {
  const near = (value: number, side: number) => Math.abs(value - side) < 1
  const to = (value: number, low: number, high: number) =>
    near(value, low) ? low : near(value, high) ? high : Math.round(value)
  return [to(x, west, east), to(y, north, south)]
}

/** Extends a line whose ends are within the box to the nearest side. */
function extendTo(box: Box, line: Line): Line {
  const toSide = (x: number, y: number): number[] => {
    if (outlineAt(box, x, y) !== null) return []
    const sides = [
      [x - box.west, box.west, y],
      [box.east - x, box.east, y],
      [y - box.north, x, box.north],
      [box.south - y, x, box.south],
    ] as [number, number, number][]
    const [, px, py] = sides.reduce((a, b) => (b[0] < a[0] ? b : a))
    return [px, py]
  }
  return [
    ...toSide(line[0] as number, line[1] as number),
    ...line,
    ...toSide(line.at(-2) as number, line.at(-1) as number),
  ]
}

/** The position on the box's outline, clockwise from the north-west corner; null if the point is not on it. */
function outlineAt({ west, north, east, south }: Box, x: number, y: number): number | null {
  const [width, height] = [east - west, south - north]
  if (y === north && x >= west && x <= east) return x - west
  if (x === east && y >= north && y <= south) return width + (y - north)
  if (y === south && x >= west && x <= east) return width + height + (east - x)
  if (x === west && y >= north && y <= south) return 2 * width + height + (south - y)
  return null
}

interface End {
  line: number
  at: number
}

/** Ends farther apart than this share of the outline do not continue each other. */
const mostGap = 0.15

/**
 * Connects the ends of lines on the outline of `bounds`: each near end with the nearest far one of the other kind.
 * Where one coast map knows an inlet that the other does not, its own ends are connected along the outline: the region
 * is land to the far coast, its surroundings are land to the near one. Returns lines that end on no side of the
 * bounds, and closed ones.
 */
function glue(near: Line[], far: Line[], bounds: Box): { lines: Line[]; closed: Line[] } {
  const all = [...near, ...far]
  const length = outlineLength(bounds)
  const ends = (side: 'start' | 'end', from: number, to: number): End[] =>
    all.slice(from, to).flatMap((line, index) => {
      const [x, y] = side === 'start' ? line : line.slice(-2)
      const at = outlineAt(bounds, x as number, y as number)
      return at === null ? [] : [{ line: from + index, at }]
    })
  const next = new Map<number, { line: number; via: Line }>()
  const followed = new Set<number>()
  const connect = (from: End[], to: End[], gap: (a: End, b: End) => number, most: number, via: Via) => {
    const sorted = from
      .flatMap((a) => to.map((b) => ({ a, b, gap: gap(a, b) })))
      .filter((pair) => pair.gap <= most)
      .sort((x, y) => x.gap - y.gap)
    for (const { a, b } of sorted) {
      if (next.has(a.line) || followed.has(b.line)) continue
      next.set(a.line, { line: b.line, via: via(a.at, b.at) })
      followed.add(b.line)
    }
  }
  const clockwise = (a: End, b: End) => (b.at - a.at + length) % length
  const shortest = (a: End, b: End) => Math.min(clockwise(a, b), clockwise(b, a))
  const count = near.length
  const [nearStarts, nearEnds] = [ends('start', 0, count), ends('end', 0, count)]
  const [farStarts, farEnds] = [ends('start', count, all.length), ends('end', count, all.length)]
  connect(nearEnds, farStarts, shortest, mostGap * length, () => [])
  connect(farEnds, nearStarts, shortest, mostGap * length, () => [])
  // The far coast continues from its next point, so that no step is drawn along the edge.
  const [fromNear, toNear] = [new Set(followed), new Set(next.keys())]
  for (let line = count; line < all.length; line++) {
    const points = all[line] as Line
    const from = fromNear.has(line) ? 2 : 0
    const to = points.length - (toNear.has(line) ? 2 : 0)
    if (to - from >= 2) all[line] = points.slice(from, to)
  }
  connect(nearEnds, nearStarts, clockwise, length, (a, b) => cornersBetween(bounds, a, b))
  connect(
    farEnds,
    farStarts,
    (a, b) => clockwise(b, a),
    length,
    (a, b) => reversedRing(cornersBetween(bounds, b, a)),
  )
  return follow(all, next)
}

type Via = (from: number, to: number) => Line

/** Follows the connections between lines. */
function follow(
  all: Line[],
  next: Map<number, { line: number; via: Line }>,
): { lines: Line[]; closed: Line[] } {
  const isFollowed = new Set([...next.values()].map(({ line }) => line))
  const used = new Set<number>()
  const walk = (start: number): Line => {
    // Parts, because a call cannot have the points of a continent's coast as arguments.
    const parts: Line[] = []
    for (let at: number | undefined = start; at !== undefined && !used.has(at); ) {
      used.add(at)
      const following = next.get(at)
      parts.push(all[at] as Line, following?.via ?? [])
      at = following?.line
    }
    return parts.flat()
  }
  const indexes = [...all.keys()]
  const lines = indexes.filter((index) => !isFollowed.has(index)).map(walk)
  const closed = indexes.flatMap((index) => (used.has(index) ? [] : [walk(index)]))
  return { lines, closed: closed.map((line) => (isOpen(line) ? [...line, ...line.slice(0, 2)] : line)) }
}

/**
 * Closes lines that end on the box's outline to rings of water: with land on the left, water is on the right, so each
 * end continues clockwise along the outline to the next beginning.
 */
function ringsAlong(lines: readonly Line[], box: Box): Line[] {
  const starts: End[] = lines
    .map((line, index) => ({ line: index, at: outlineAt(box, line[0] as number, line[1] as number) ?? 0 }))
    .sort((a, b) => a.at - b.at)
  const used = new Set<number>()
  const rings: Line[] = []
  for (const { line: first } of starts) {
    if (used.has(first)) continue
    const parts: Line[] = []
    for (let at = first; !used.has(at); ) {
      used.add(at)
      const line = lines[at] as Line
      const end = outlineAt(box, line.at(-2) as number, line.at(-1) as number) ?? 0
      const follower = starts.find((start) => start.at >= end) ?? (starts[0] as End)
      parts.push(line, cornersBetween(box, end, follower.at))
      at = follower.line
    }
    const ring = parts.flat()
    rings.push([...ring, ...ring.slice(0, 2)])
  }
  return rings
}

const outlineLength = ({ west, north, east, south }: Box) => 2 * (east - west + south - north)

/** The box's corners that are passed clockwise from one position on its outline to another. */
function cornersBetween(box: Box, from: number, to: number): Line {
  const { west, north, east, south } = box
  const length = outlineLength(box)
  const [width, height] = [east - west, south - north]
  const corners = [
    [0, west, north],
    [width, east, north],
    [width + height, east, south],
    [2 * width + height, west, south],
  ] as [at: number, x: number, y: number][]
  const ahead = (at: number) => (at - from + length) % length
  return corners
    .filter(([at]) => ahead(at) > 0 && ahead(at) < ahead(to))
    .sort((a, b) => ahead(a[0]) - ahead(b[0]))
    .flatMap(([, x, y]) => [x, y])
}
