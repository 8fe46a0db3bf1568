/** OpenStreetMap tags of one element. */
export type Tags = Record<string, string>

/**
 * A feature of the map data, or the part of it in one source tile. Rings are flat x, y in world units; an area's outer
 * rings wind one way, its holes the other.
 */
export interface SourceFeature {
  /** The OpenStreetMap id prefixed with its type: n node, w way, r relation, such as `w78119399`. */
  id: string
  shape: 'point' | 'line' | 'area'
  tags: Tags
  rings: number[][]
}

/** A way that may be driven, or a part of one where the extract lacks nodes. `nodes` are indexes into `x` and `y`. */
export interface RoadWay {
  id: number
  tags: Tags
  nodes: number[]
}

/** A relation that forbids or prescribes a turn: from one way over a node, or over one or more ways, to another way. */
export interface TurnRestriction {
  tags: Tags
  from: number[]
  to: number[]
  /** Node indexes; way ids in driving order. Exactly one of the two is not empty. */
  viaNodes: number[]
  viaWays: number[]
}

/** The streets of an extract: every way with a `highway` tag and every ferry, not yet filtered for cars. */
export interface RoadSource {
  ways(): Iterable<RoadWay>
  /** Node positions in world units. */
  x: Uint32Array
  y: Uint32Array
  /** The tags of nodes with a `barrier`, by node index. */
  barriers: ReadonlyMap<number, Tags>
  restrictions: TurnRestriction[]
}

/** Bounds in world units. */
export interface Box {
  west: number
  north: number
  east: number
  south: number
}

/** Map data to build a region from. `features` can be iterated repeatedly; each pass creates new objects. */
export interface MapSource {
  features(): Iterable<SourceFeature>
  points(): Iterable<SourceFeature>
  roads: RoadSource
  /** The coast as flat x, y lines with land on their left; islands are closed lines. */
  coast(): number[][]
  /** Of the data, in world units. */
  bounds: Box
}
