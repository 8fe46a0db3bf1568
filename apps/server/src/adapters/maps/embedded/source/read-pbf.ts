import { toWorld, worldSize } from '../world.ts'
import { isArea } from './area-tags.ts'
import { joinRings, orderRings } from './join-rings.ts'
import type { MapSource, RoadWay, SourceFeature, Tags, TurnRestriction } from './map-source.ts'
import { NodeTable, unknownNode } from './node-table.ts'
import { ExtractError, type OsmElement, type OsmMember, readPbfBlocks } from './pbf-blocks.ts'
import { isUsedPoint, usedTags } from './used-tags.ts'

interface Way {
  id: number
  /** Null: only a part of relations. */
  tags: Tags | null
  /** Its nodes are `refs` from `start` to `end`. */
  start: number
  end: number
}

interface Relation {
  id: number
  tags: Tags
  members: OsmMember[]
}

interface Point {
  id: number
  tags: Tags
}

/**
 * Reads an `.osm.pbf` extract. Elements that the extract lacks at its border are left out: a way is split where nodes
 * are missing. `onProgress` gets the share of the file read. Throws ExtractError for an unusable file.
 */
export function readPbf(path: string, onProgress: (share: number) => void): MapSource {
  const reading = new Extract()
  readPbfBlocks(path, {
    onBounds: (bounds) => {
      reading.header = bounds
    },
    onElements: (elements) => {
      for (const element of elements) reading.add(element)
    },
    onProgress,
  })
  return reading.source()
}

class Extract {
  header: [number, number, number, number] | null = null
  private readonly table = new NodeTable()
  private readonly points: Point[] = []
  private readonly ways: Way[] = []
  private readonly relations: Relation[] = []
  private readonly refs = new GrowingIds()

  add(element: OsmElement): void {
    if (!Number.isSafeInteger(element.id)) return
    if (element.type === 'node') {
      if (!(Math.abs(element.lat) <= 90 && Math.abs(element.lon) <= 180)) return
      const { x, y } = toWorld({ lat: Math.max(-85.05, Math.min(85.05, element.lat)), lng: element.lon })
      this.table.add(element.id, Math.min(worldSize - 1, Math.round(x)), Math.round(y))
      if (!element.tags) return
      const tags = usedTags(element.tags)
      if (isUsedPoint(tags)) this.points.push({ id: element.id, tags })
    } else if (element.type === 'way') {
      if (element.refs.length < 2) return
      const start = this.refs.length
      for (const ref of element.refs) this.refs.push(ref)
      const tags = element.tags ? usedTags(element.tags) : null
      this.ways.push({ id: element.id, tags, start, end: this.refs.length })
    } else if (element.tags) {
      const { type, boundary } = element.tags
      const isUsed =
        type === 'multipolygon' ||
        type === 'restriction' ||
        (type === 'boundary' && boundary === 'administrative')
      if (!isUsed) return
      this.relations.push({ id: element.id, tags: usedTags(element.tags), members: element.members })
    }
  }

  source(): MapSource {
    const { x, y } = this.table.finish()
    const nodes = this.refs.resolve((id) => this.table.find(id))
    if (!this.ways.some(({ tags }) => tags?.highway))
      throw new ExtractError('The file contains no streets. Choose an extract of a city, region or country.')
    const geometry = { x, y, nodes, ways: this.ways }
    const wayAt = new Map(this.ways.map(({ id }, index) => [id, index]))
    const { points, relations, table } = this
    return {
      features: () => eachFeature(geometry, points, relations, wayAt, table),
      points: () => eachPoint(geometry, points, table),
      roads: {
        ways: () => eachRoad(geometry),
        x,
        y,
        barriers: new Map(
          points.flatMap(({ id, tags }) => (tags.barrier ? [[table.find(id), tags] as const] : [])),
        ),
        restrictions: relations.flatMap((relation) => restriction(relation, table)),
      },
      coast: () =>
        geometry.ways.flatMap((way) =>
          way.tags?.natural === 'coastline'
            ? wayParts(geometry, way).map((part) => positions(geometry, part))
            : [],
        ),
      bounds: boundsOf(geometry, this.header),
    }
  }
}

interface Geometry {
  x: Uint32Array
  y: Uint32Array
  nodes: Uint32Array
  ways: Way[]
}

function* eachFeature(
  geometry: Geometry,
  points: Point[],
  relations: Relation[],
  wayAt: Map<number, number>,
  table: NodeTable,
): Generator<SourceFeature> {
  yield* eachPoint(geometry, points, table)
  for (const way of geometry.ways) {
    if (!way.tags) continue
    const parts = wayParts(geometry, way)
    const [ring] = parts
    if (!ring) continue
    const isClosed = parts.length === 1 && ring.length > 3 && ring[0] === ring.at(-1)
    const shape = isClosed && isArea(way.tags) ? 'area' : 'line'
    const rings = parts.map((part) => positions(geometry, part))
    yield { id: `w${way.id}`, shape, tags: way.tags, rings: shape === 'area' ? orderRings(rings, []) : rings }
  }
  for (const { id, tags, members } of relations) {
    if (tags.type === 'restriction') continue
    const rings = areaRings(geometry, members, wayAt)
    if (rings.length > 0) yield { id: `r${id}`, shape: 'area', tags, rings }
  }
}

function* eachPoint({ x, y }: Geometry, points: Point[], table: NodeTable): Generator<SourceFeature> {
  for (const { id, tags } of points) {
    const node = table.find(id)
    yield { id: `n${id}`, shape: 'point', tags, rings: [[x[node] as number, y[node] as number]] }
  }
}

function areaRings(geometry: Geometry, members: OsmMember[], wayAt: Map<number, number>): number[][] {
  const lines = (isInner: boolean) =>
    members.flatMap(({ type, ref, role }) => {
      const index = type === 'way' && (role === 'inner') === isInner ? wayAt.get(ref) : undefined
      const parts = index === undefined ? [] : wayParts(geometry, geometry.ways[index] as Way)
      return parts.length === 1 ? parts : []
    })
  const rings = (isInner: boolean) => joinRings(lines(isInner)).map((ring) => positions(geometry, ring))
  return orderRings(rings(false), rings(true))
}

function* eachRoad(geometry: Geometry): Generator<RoadWay> {
  for (const way of geometry.ways) {
    const { tags, id } = way
    if (!tags || (!tags.highway && tags.route !== 'ferry')) continue
    for (const nodes of wayParts(geometry, way)) yield { id, tags, nodes }
  }
}

/** The way's nodes without repetitions, split where the extract lacks nodes; parts of one node are left out. */
function wayParts({ nodes }: Geometry, { start, end }: Way): number[][] {
  const parts: number[][] = []
  let part: number[] = []
  let last = unknownNode
  for (let at = start; at <= end; at++) {
    const node = at < end ? (nodes[at] as number) : unknownNode
    if (node === unknownNode) {
      if (part.length > 1) parts.push(part)
      part = []
    } else if (node !== last) part.push(node)
    last = node
  }
  return parts
}

function positions({ x, y }: Geometry, nodes: readonly number[]): number[] {
  const flat: number[] = []
  for (const node of nodes) flat.push(x[node] as number, y[node] as number)
  return flat
}

function restriction({ tags, members }: Relation, table: NodeTable): TurnRestriction[] {
  if (tags.type !== 'restriction') return []
  const refs = (role: string, type: OsmMember['type']) =>
    members.filter((member) => member.role === role && member.type === type).map(({ ref }) => ref)
  const from = refs('from', 'way')
  const to = refs('to', 'way')
  const viaNodes = refs('via', 'node').map((ref) => table.find(ref))
  const viaWays = refs('via', 'way')
  if (from.length === 0 || to.length === 0 || viaNodes.includes(unknownNode)) return []
  if (viaNodes.length > 0 === viaWays.length > 0) return []
  return [{ tags, from, to, viaNodes, viaWays }]
}

/**
 * The bounds of the streets, within the header's if it states any: an extract may contain complete ferry routes and
 * boundaries that reach far outside.
 */
function boundsOf(geometry: Geometry, header: Extract['header']): MapSource['bounds'] {
  const { x, y } = geometry
  const box = { west: worldSize, north: worldSize, east: 0, south: 0 }
  for (const { nodes, tags } of eachRoad(geometry)) {
    if (!tags.highway) continue
    for (const node of nodes) {
      box.west = Math.min(box.west, x[node] as number)
      box.east = Math.max(box.east, x[node] as number)
      box.north = Math.min(box.north, y[node] as number)
      box.south = Math.max(box.south, y[node] as number)
    }
  }
  if (!header) return box
  const northWest = toWorld({ lat: Math.min(85, header[3]), lng: header[0] })
  const southEast = toWorld({ lat: Math.max(-85, header[1]), lng: header[2] })
  const cut = {
    west: Math.max(box.west, Math.round(northWest.x)),
    north: Math.max(box.north, Math.round(northWest.y)),
    east: Math.min(box.east, Math.round(southEast.x)),
    south: Math.min(box.south, Math.round(southEast.y)),
  }
  return cut.west < cut.east && cut.north < cut.south ? cut : box
}

/** A growing list of OpenStreetMap ids. */
class GrowingIds {
  private ids = new Float64Array(1 << 14)
  length = 0

  push(id: number): void {
    if (this.length === this.ids.length) {
      const more = new Float64Array(this.ids.length * 2)
      more.set(this.ids)
      this.ids = more
    }
    this.ids[this.length++] = id
  }

  /** Replaces each id by what `find` returns and frees the ids. */
  resolve(find: (id: number) => number): Uint32Array {
    const found = new Uint32Array(this.length)
    for (let at = 0; at < found.length; at++) found[at] = find(this.ids[at] as number)
    this.ids = new Float64Array(0)
    return found
  }
}
