import { MinHeap } from '@hansom/domain/min-heap'
import type { Cost } from './cost.ts'
import type { Hierarchy } from './hierarchy.ts'

/** A start or end state of a search, with the cost to reach it. */
export interface Seed {
  state: number
  cost: Cost
}

/** The fastest path: `steps` in driving order; `source` and `target` are indexes into the given seeds. */
export interface Path {
  cost: Cost
  steps: number[]
  source: number
  target: number
}

/** One direction of a hierarchy: the arcs to follow upward, and those of the other direction. */
export interface Arcs {
  start: Uint32Array
  head: Uint32Array
  cost: Float64Array
}

export const upward = ({ upStart, upHead, upCost }: Hierarchy): Arcs => ({
  start: upStart,
  head: upHead,
  cost: upCost,
})

export const downward = ({ downStart, downHead, downCost }: Hierarchy): Arcs => ({
  start: downStart,
  head: downHead,
  cost: downCost,
})

/** The search from one end: `cameBy` is the arc that reached a state or, if `cameFrom` is -1, the seed. */
class Side {
  readonly cost: Float64Array
  readonly cameFrom: Int32Array
  readonly cameBy: Int32Array
  readonly round: Uint32Array
  readonly queue = new MinHeap()

  constructor(
    states: number,
    readonly climb: Arcs,
    readonly against: Arcs,
  ) {
    this.cost = new Float64Array(states)
    this.cameFrom = new Int32Array(states)
    this.cameBy = new Int32Array(states)
    this.round = new Uint32Array(states)
  }
}

/** Bidirectional search in a hierarchy. Reuses its working memory: one search at a time, not shared between threads. */
export class PathFinder {
  private readonly ahead: Side
  private readonly behind: Side
  private round = 0

  constructor(private readonly hierarchy: Hierarchy) {
    const states = hierarchy.upStart.length - 1
    const [up, down] = [upward(hierarchy), downward(hierarchy)]
    this.ahead = new Side(states, up, down)
    this.behind = new Side(states, down, up)
  }

  /** Null if no path is below `bound`. */
  path(sources: readonly Seed[], targets: readonly Seed[], bound = Number.POSITIVE_INFINITY): Path | null {
    const { cost, state } = this.meet(sources, targets, bound)
    return state === -1 ? null : this.over(state, cost)
  }

  /**
   * The fastest path and, in order of cost, others that are fastest to and from some state, at most `stretch` times as
   * long. `before` is the number of steps before that state.
   */
  pathsOver(
    sources: readonly Seed[],
    targets: readonly Seed[],
    stretch: number,
    most: number,
  ): { path: Path; before: number }[] {
    const best = this.meet(sources, targets, Number.POSITIVE_INFINITY)
    if (best.state === -1) return []
    const bound = best.cost * stretch
    const reached = this.reachAll(bound)
    const both = reached
      .map((state) => ({
        state,
        cost: (this.ahead.cost[state] as number) + (this.behind.cost[state] as number),
      }))
      .filter(({ state, cost }) => state !== best.state && cost <= bound)
      .toSorted((a, b) => a.cost - b.cost)
    const seen = new Set<string>()
    const paths: { path: Path; before: number }[] = []
    for (const { state, cost } of [best, ...both]) {
      if (paths.length === most) break
      const path = this.over(state, cost)
      const key = path.steps.join()
      if (!seen.has(key)) paths.push({ path, before: this.stepsTo(state) })
      seen.add(key)
    }
    return paths
  }

  /** Continues the last search on both sides up to a cost; the states that both reach. */
  private reachAll(bound: Cost): number[] {
    for (const side of [this.ahead, this.behind]) {
      while (side.queue.leastKey <= bound) {
        const key = side.queue.leastKey
        const state = side.queue.pop()
        if (key <= (side.cost[state] as number) && !this.stalled(side, state, key))
          this.relax(side, state, key)
      }
    }
    const { ahead, behind } = this
    const both: number[] = []
    for (let state = 0; state < ahead.round.length; state++) {
      if (ahead.round[state] === this.round && behind.round[state] === this.round) both.push(state)
    }
    return both
  }

  private stepsTo(state: number): number {
    const steps: number[] = []
    for (let at = state; this.ahead.cameFrom[at] !== -1; at = this.ahead.cameFrom[at] as number) {
      const via = this.hierarchy.upVia[this.ahead.cameBy[at] as number] as number
      unpack(this.hierarchy, this.ahead.cameFrom[at] as number, at, via, steps)
    }
    return steps.length
  }

  /** The path of the last search over a state that both sides reached. */
  private over(state: number, cost: Cost): Path {
    const steps: number[] = []
    const { ahead, behind, hierarchy } = this
    const climbed: number[] = []
    let first = state
    for (; ahead.cameFrom[first] !== -1; first = ahead.cameFrom[first] as number) climbed.push(first)
    for (const at of climbed.reverse()) {
      const via = hierarchy.upVia[ahead.cameBy[at] as number] as number
      unpack(hierarchy, ahead.cameFrom[at] as number, at, via, steps)
    }
    let last = state
    while (behind.cameFrom[last] !== -1) {
      const next = behind.cameFrom[last] as number
      unpack(hierarchy, last, next, hierarchy.downVia[behind.cameBy[last] as number] as number, steps)
      last = next
    }
    return { cost, steps, source: ahead.cameBy[first] as number, target: behind.cameBy[last] as number }
  }

  private meet(
    sources: readonly Seed[],
    targets: readonly Seed[],
    bound: Cost,
  ): { cost: Cost; state: number } {
    const { ahead, behind } = this
    this.round++
    this.begin(ahead, sources)
    this.begin(behind, targets)
    let best = bound
    let meeting = -1
    for (;;) {
      const least = Math.min(ahead.queue.leastKey, behind.queue.leastKey)
      if (least >= best) return { cost: meeting === -1 ? Number.POSITIVE_INFINITY : best, state: meeting }
      const side = ahead.queue.leastKey <= behind.queue.leastKey ? ahead : behind
      const other = side === ahead ? behind : ahead
      const key = side.queue.leastKey
      const state = side.queue.pop()
      if (key > (side.cost[state] as number)) continue
      if (other.round[state] === this.round && key + (other.cost[state] as number) < best) {
        best = key + (other.cost[state] as number)
        meeting = state
      }
      if (!this.stalled(side, state, key)) this.relax(side, state, key)
    }
  }

  private begin(side: Side, seeds: readonly Seed[]): void {
    side.queue.clear()
    seeds.forEach(({ state, cost }, index) => {
      if (side.round[state] === this.round && (side.cost[state] as number) <= cost) return
      this.reach(side, state, cost, -1, index)
    })
  }

  private reach(side: Side, state: number, cost: Cost, from: number, by: number): void {
    side.round[state] = this.round
    side.cost[state] = cost
    side.cameFrom[state] = from
    side.cameBy[state] = by
    side.queue.push(cost, state)
  }

  private relax(side: Side, state: number, key: Cost): void {
    const { start, head, cost } = side.climb
    const end = start[state + 1] as number
    for (let arc = start[state] as number; arc < end; arc++) {
      const to = head[arc] as number
      const total = key + (cost[arc] as number)
      if (side.round[to] !== this.round || total < (side.cost[to] as number))
        this.reach(side, to, total, state, arc)
    }
  }

  /** A state that a higher one reaches sooner is not on a fastest path, so its arcs can be skipped (stall-on-demand). */
  private stalled(side: Side, state: number, key: Cost): boolean {
    const { start, head, cost } = side.against
    const end = start[state + 1] as number
    for (let arc = start[state] as number; arc < end; arc++) {
      const higher = head[arc] as number
      if (side.round[higher] !== this.round) continue
      if ((side.cost[higher] as number) + (cost[arc] as number) < key) return true
    }
    return false
  }
}

/** Appends the driven steps of an arc. */
export function unpack(hierarchy: Hierarchy, from: number, to: number, via: number, steps: number[]): void {
  if (via < 0) {
    steps.push(-1 - via)
    return
  }
  let into = hierarchy.downStart[via] as number
  while (hierarchy.downHead[into] !== from) into++
  let out = hierarchy.upStart[via] as number
  while (hierarchy.upHead[out] !== to) out++
  unpack(hierarchy, from, via, hierarchy.downVia[into] as number, steps)
  unpack(hierarchy, via, to, hierarchy.upVia[out] as number, steps)
}
