import { MinHeap } from './heap.ts'
import type { Hierarchy } from './hierarchy.ts'

/** A start or end node of a search, with the cost to reach it. */
export interface Seed {
  node: number
  ms: number
}

/**
 * The fastest path: `edges` in driving order, each edge * 2 + direction, where direction 1 is against the edge;
 * `source` and `target` are indexes into the given lists of seeds.
 */
export interface Path {
  ms: number
  edges: number[]
  source: number
  target: number
}

/** The search from one end: `cameBy` is the arc that reached a node or, if `cameFrom` is -1, the seed. */
class Side {
  readonly ms: Float64Array
  readonly cameFrom: Int32Array
  readonly cameBy: Int32Array
  readonly round: Uint32Array
  readonly queue = new MinHeap()

  constructor(nodeCount: number) {
    this.ms = new Float64Array(nodeCount)
    this.cameFrom = new Int32Array(nodeCount)
    this.cameBy = new Int32Array(nodeCount)
    this.round = new Uint32Array(nodeCount)
  }
}

/** Bidirectional search in a hierarchy. Reuses its working memory: one search at a time, not shared between threads. */
export class PathFinder {
  private readonly ahead: Side
  private readonly behind: Side
  private round = 0

  constructor(private readonly hierarchy: Hierarchy) {
    const nodeCount = hierarchy.upStart.length - 1
    this.ahead = new Side(nodeCount)
    this.behind = new Side(nodeCount)
  }

  /** Null if no path is below `bound`. */
  path(sources: Seed[], targets: Seed[], bound = Number.POSITIVE_INFINITY): Path | null {
    const { ms, node } = this.meet(sources, targets, bound)
    if (node === -1) return null
    const edges: number[] = []
    const { ahead, behind, hierarchy } = this
    const climbed: number[] = []
    let first = node
    for (; ahead.cameFrom[first] !== -1; first = ahead.cameFrom[first] as number) climbed.push(first)
    for (const at of climbed.reverse()) {
      const via = hierarchy.upVia[ahead.cameBy[at] as number] as number
      this.unpack(ahead.cameFrom[at] as number, at, via, edges)
    }
    let last = node
    while (behind.cameFrom[last] !== -1) {
      const next = behind.cameFrom[last] as number
      this.unpack(last, next, hierarchy.downVia[behind.cameBy[last] as number] as number, edges)
      last = next
    }
    return { ms, edges, source: ahead.cameBy[first] as number, target: behind.cameBy[last] as number }
  }

  private meet(sources: Seed[], targets: Seed[], bound: number): { ms: number; node: number } {
    const { ahead, behind, hierarchy } = this
    this.round++
    this.begin(ahead, sources)
    this.begin(behind, targets)
    let best = bound
    let meeting = -1
    for (;;) {
      const least = Math.min(ahead.queue.leastKey, behind.queue.leastKey)
      if (least >= best) return { ms: meeting === -1 ? Number.POSITIVE_INFINITY : best, node: meeting }
      const forward = ahead.queue.leastKey <= behind.queue.leastKey
      const side = forward ? ahead : behind
      const other = forward ? behind : ahead
      const key = side.queue.leastKey
      const node = side.queue.pop()
      if (key > (side.ms[node] as number)) continue
      if (other.round[node] === this.round && key + (other.ms[node] as number) < best) {
        best = key + (other.ms[node] as number)
        meeting = node
      }
      if (forward) {
        if (this.stalled(ahead, node, key, hierarchy.downStart, hierarchy.downHead, hierarchy.downMs))
          continue
        this.relax(ahead, node, key, hierarchy.upStart, hierarchy.upHead, hierarchy.upMs)
      } else {
        if (this.stalled(behind, node, key, hierarchy.upStart, hierarchy.upHead, hierarchy.upMs)) continue
        this.relax(behind, node, key, hierarchy.downStart, hierarchy.downHead, hierarchy.downMs)
      }
    }
  }

  private begin(side: Side, seeds: Seed[]): void {
    side.queue.clear()
    seeds.forEach(({ node, ms }, index) => {
      if (side.round[node] === this.round && (side.ms[node] as number) <= ms) return
      this.reach(side, node, ms, -1, index)
    })
  }

  private reach(side: Side, node: number, ms: number, from: number, by: number): void {
    side.round[node] = this.round
    side.ms[node] = ms
    side.cameFrom[node] = from
    side.cameBy[node] = by
    side.queue.push(ms, node)
  }

  private relax(
    side: Side,
    node: number,
    key: number,
    start: Uint32Array,
    head: Uint32Array,
    ms: Uint32Array,
  ): void {
    const end = start[node + 1] as number
    for (let arc = start[node] as number; arc < end; arc++) {
      const to = head[arc] as number
      const total = key + (ms[arc] as number)
      if (side.round[to] !== this.round || total < (side.ms[to] as number))
        this.reach(side, to, total, node, arc)
    }
  }

  /** A node that a higher one reaches sooner is not on a fastest path, so its arcs can be skipped (stall-on-demand). */
  private stalled(
    side: Side,
    node: number,
    key: number,
    start: Uint32Array,
    head: Uint32Array,
    ms: Uint32Array,
  ): boolean {
    const end = start[node + 1] as number
    for (let arc = start[node] as number; arc < end; arc++) {
      const higher = head[arc] as number
      if (side.round[higher] === this.round && (side.ms[higher] as number) + (ms[arc] as number) < key)
        return true
    }
    return false
  }

  private unpack(from: number, to: number, via: number, edges: number[]): void {
    if (via < 0) {
      edges.push(-1 - via)
      return
    }
    const { hierarchy } = this
    let into = hierarchy.downStart[via] as number
    while (hierarchy.downHead[into] !== from) into++
    let out = hierarchy.upStart[via] as number
    while (hierarchy.upHead[out] !== to) out++
    this.unpack(from, via, hierarchy.downVia[into] as number, edges)
    this.unpack(via, to, hierarchy.upVia[out] as number, edges)
  }
}
