import { MinHeap } from '@hansom/domain/min-heap'
import { ArcLists } from './arc-lists.ts'
import { type Cost, costOf } from './cost.ts'
import type { RoadGraph } from './turn-states.ts'

/**
 * A contraction hierarchy (Geisberger, Sanders, Schultes, Delling, 2008). States are numbered by rank. An arc is stored
 * at its lower end: `up` has the arcs that leave it, `down` the arcs that reach it, both in the state's slice from
 * `start[rank]` to `start[rank + 1]`. `via` is the middle state of a shortcut if zero or more; otherwise the driven
 * step, as -1 - step.
 */
export interface Hierarchy {
  upStart: Uint32Array
  upHead: Uint32Array
  upCost: Float64Array
  upVia: Int32Array
  downStart: Uint32Array
  downHead: Uint32Array
  downCost: Float64Array
  downVia: Int32Array
}

/**
 * States a witness search may settle before the shortcut is added anyway; a higher limit is slower and adds fewer
 * shortcuts.
 */
const witnessLimit = 40

/**
 * Orders and contracts the graph; `rankOf` maps its states to ranks. Paths are exactly as long as Dijkstra's.
 * `onProgress` gets the share of contracted states.
 */
export function buildHierarchy(
  graph: RoadGraph,
  onProgress: (share: number) => void = () => {},
): { hierarchy: Hierarchy; rankOf: Uint32Array } {
  return new Contraction(graph).run(onProgress)
}

class Contraction {
  private readonly out: ArcLists
  private readonly into: ArcLists
  private readonly depth: Uint32Array
  private readonly reached: Float64Array
  private touched = new Int32Array(1 << 12)
  private touchedCount = 0
  private readonly queue = new MinHeap()
  /** The shortcuts that the last examined state needs: from, to and cost. */
  private readonly shortcutFrom: number[] = []
  private readonly shortcutTo: number[] = []
  private readonly shortcutCost: Cost[] = []

  constructor(private readonly graph: RoadGraph) {
    const { nodeCount, tail, head, ms, dm, step } = graph
    this.out = new ArcLists(nodeCount, tail)
    this.into = new ArcLists(nodeCount, head)
    this.depth = new Uint32Array(nodeCount)
    this.reached = new Float64Array(nodeCount).fill(Number.POSITIVE_INFINITY)
    for (let arc = 0; arc < tail.length; arc++) {
      const cost = costOf(ms[arc] as number, dm[arc] as number)
      this.link(tail[arc] as number, head[arc] as number, cost, -1 - (step[arc] as number))
    }
  }

  run(onProgress: (share: number) => void): { hierarchy: Hierarchy; rankOf: Uint32Array } {
    const { nodeCount } = this.graph
    const order = new MinHeap(nodeCount)
    const rankOf = new Uint32Array(nodeCount)
    for (let state = 0; state < nodeCount; state++) order.push(this.priority(state), state)
    for (let rank = 0; order.size > 0; ) {
      const state = order.pop()
      const priority = this.priority(state)
      if (priority > order.leastKey) {
        order.push(priority, state)
        continue
      }
      this.contract(state)
      rankOf[state] = rank++
      if (rank % 4_096 === 0) onProgress(rank / nodeCount)
    }
    const stateAt = new Uint32Array(nodeCount)
    rankOf.forEach((rank, state) => {
      stateAt[rank] = state
    })
    const up = columns(this.out, stateAt, rankOf)
    const down = columns(this.into, stateAt, rankOf)
    const hierarchy = {
      upStart: up.start,
      upHead: up.head,
      upCost: up.cost,
      upVia: up.via,
      downStart: down.start,
      downHead: down.head,
      downCost: down.cost,
      downVia: down.via,
    }
    return { hierarchy, rankOf }
  }

  private link(from: number, to: number, cost: Cost, via: number): void {
    if (from === to) return
    if (this.out.put(from, to, cost, via)) this.into.put(to, from, cost, via)
  }

  /** Prefers states with few shortcuts, spread evenly: the more contracted beneath a state, the later its turn. */
  private priority(state: number): number {
    this.findShortcuts(state)
    const removed = (this.out.size[state] as number) + (this.into.size[state] as number)
    return 2 * this.shortcutFrom.length - removed + (this.depth[state] as number)
  }

  /** Contracts the state whose priority was just calculated. */
  private contract(state: number): void {
    this.leave(this.out, this.into, state)
    this.leave(this.into, this.out, state)
    for (let at = 0; at < this.shortcutFrom.length; at++) {
      const [from, to] = [this.shortcutFrom[at] as number, this.shortcutTo[at] as number]
      this.link(from, to, this.shortcutCost[at] as Cost, state)
    }
  }

  private leave(own: ArcLists, others: ArcLists, state: number): void {
    const end = (own.start[state] as number) + (own.size[state] as number)
    for (let arc = own.start[state] as number; arc < end; arc++) {
      const neighbour = own.node[arc] as number
      others.remove(neighbour, state)
      this.depth[neighbour] = Math.max(this.depth[neighbour] as number, (this.depth[state] as number) + 1)
    }
  }

  private findShortcuts(state: number): void {
    const { out, into, reached } = this
    this.shortcutFrom.length = this.shortcutTo.length = this.shortcutCost.length = 0
    const inEnd = (into.start[state] as number) + (into.size[state] as number)
    const outStart = out.start[state] as number
    const outEnd = outStart + (out.size[state] as number)
    for (let arc = into.start[state] as number; arc < inEnd; arc++) {
      const from = into.node[arc] as number
      const first = into.cost[arc] as number
      let most = 0
      for (let next = outStart; next < outEnd; next++) {
        if (out.node[next] !== from) most = Math.max(most, first + (out.cost[next] as number))
      }
      if (most === 0) continue
      this.searchWitness(from, state, most)
      for (let next = outStart; next < outEnd; next++) {
        const to = out.node[next] as number
        const cost = first + (out.cost[next] as number)
        if (to === from || (reached[to] as number) <= cost) continue
        this.shortcutFrom.push(from)
        this.shortcutTo.push(to)
        this.shortcutCost.push(cost)
      }
      for (let at = 0; at < this.touchedCount; at++)
        reached[this.touched[at] as number] = Number.POSITIVE_INFINITY
      this.touchedCount = 0
    }
  }

  /** A bounded Dijkstra search that skips `without`; costs are in `reached`. */
  private searchWitness(from: number, without: number, most: Cost): void {
    const { queue, reached, out } = this
    queue.clear()
    queue.push(0, from)
    this.touch(from, 0)
    for (let settled = 0; settled < witnessLimit && queue.size > 0; settled++) {
      const cost = queue.leastKey
      if (cost > most) return
      const state = queue.pop()
      if (cost > (reached[state] as number)) continue
      const end = (out.start[state] as number) + (out.size[state] as number)
      for (let arc = out.start[state] as number; arc < end; arc++) {
        const to = out.node[arc] as number
        const total = cost + (out.cost[arc] as number)
        if (to === without || total > most || total >= (reached[to] as number)) continue
        this.touch(to, total)
        queue.push(total, to)
      }
    }
  }

  private touch(state: number, cost: Cost): void {
    if (this.touchedCount === this.touched.length) {
      const more = new Int32Array(this.touched.length * 2)
      more.set(this.touched)
      this.touched = more
    }
    this.touched[this.touchedCount++] = state
    this.reached[state] = cost
  }
}

/** The lists in the order of ranks. */
function columns(lists: ArcLists, stateAt: Uint32Array, rankOf: Uint32Array) {
  const start = new Uint32Array(stateAt.length + 1)
  stateAt.forEach((state, rank) => {
    start[rank + 1] = (start[rank] as number) + (lists.size[state] as number)
  })
  const count = start[stateAt.length] as number
  const head = new Uint32Array(count)
  const cost = new Float64Array(count)
  const via = new Int32Array(count)
  let next = 0
  for (const state of stateAt) {
    const end = (lists.start[state] as number) + (lists.size[state] as number)
    for (let arc = lists.start[state] as number; arc < end; arc++) {
      const middle = lists.via[arc] as number
      head[next] = rankOf[lists.node[arc] as number] as number
      cost[next] = lists.cost[arc] as number
      via[next++] = middle < 0 ? middle : (rankOf[middle] as number)
    }
  }
  return { start, head, cost, via }
}
