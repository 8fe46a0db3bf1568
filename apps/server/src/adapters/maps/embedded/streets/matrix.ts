import type { Cost } from './cost.ts'
import type { Hierarchy } from './hierarchy.ts'
import { type Arcs, downward, type Seed, upward } from './shortest-path.ts'

/** Where each of many trips begins or ends: the states with the costs from or to them. */
type Ends = readonly (readonly Seed[])[]

/**
 * Costs between many places in a hierarchy, as in RPHAST (Delling, Goldberg, Werneck, 2011): one search upward from the
 * single end, then one sweep over the states that the many ends can reach upward, from high to low. Reuses its working
 * memory: one call at a time.
 */
export class Matrix {
  private readonly up: Arcs
  private readonly down: Arcs
  private readonly cursor: Uint32Array
  private readonly seen: Uint32Array
  private seenRound = 0
  private readonly cost: Float64Array
  private readonly costRound: Uint32Array
  private round = 0

  constructor(hierarchy: Hierarchy) {
    const states = hierarchy.upStart.length - 1
    this.up = upward(hierarchy)
    this.down = downward(hierarchy)
    this.cursor = new Uint32Array(states)
    this.seen = new Uint32Array(states)
    this.cost = new Float64Array(states)
    this.costRound = new Uint32Array(states)
  }

  /** A row for each of `froms`, with the cost to each of `tos`; Infinity where there is no path. */
  table(froms: Ends, tos: Ends): Cost[][] {
    if (froms.length < tos.length) {
      const order = this.reachedFrom(tos.flat(), this.down)
      return froms.map((from) => this.sweep(from, this.up, tos, this.down, order))
    }
    const order = this.reachedFrom(froms.flat(), this.up)
    const columns = tos.map((to) => this.sweep(to, this.down, froms, this.up, order))
    return froms.map((_, row) => columns.map((column) => column[row] as Cost))
  }

  /**
   * The costs of some pairs of indexes only, as hub labels (Abraham, Delling, Goldberg, Werneck, 2011): each end is
   * searched once, and a pair compares the states that both reach upward.
   */
  pairs(froms: Ends, tos: Ends, wanted: readonly (readonly [from: number, to: number])[]): Cost[] {
    const labels = new Map<number, { states: number[]; costs: Cost[] }>()
    const labelOf = (from: number) => {
      let label = labels.get(from)
      if (label === undefined) {
        const states = this.climb(froms[from] as readonly Seed[], this.up)
        label = { states, costs: states.map((state) => this.cost[state] as Cost) }
        labels.set(from, label)
      }
      return label
    }
    const byTo = tos.map((): number[] => [])
    for (const [index, [, to]] of wanted.entries()) byTo[to]?.push(index)
    const found = wanted.map((): Cost => Number.POSITIVE_INFINITY)
    for (const [to, indexes] of byTo.entries()) {
      if (indexes.length === 0) continue
      const all = indexes.map((index) => labelOf(wanted[index]?.[0] as number))
      this.climb(tos[to] as readonly Seed[], this.down)
      for (const [at, { states, costs }] of all.entries()) {
        let least = Number.POSITIVE_INFINITY
        for (let each = 0; each < states.length; each++) {
          const state = states[each] as number
          if (this.costRound[state] !== this.round) continue
          const total = (costs[each] as Cost) + (this.cost[state] as Cost)
          if (total < least) least = total
        }
        found[indexes[at] as number] = least
      }
    }
    return found
  }

  /** The costs between one end, which climbs by `own` arcs, and many, whose reach by `climb` arcs is `order`. */
  private sweep(one: readonly Seed[], own: Arcs, many: Ends, climb: Arcs, order: number[]): Cost[] {
    this.climb(one, own)
    for (const state of order) {
      let least =
        this.costRound[state] === this.round ? (this.cost[state] as number) : Number.POSITIVE_INFINITY
      const end = climb.start[state + 1] as number
      for (let arc = climb.start[state] as number; arc < end; arc++) {
        const total = (this.cost[climb.head[arc] as number] as number) + (climb.cost[arc] as number)
        if (total < least) least = total
      }
      this.cost[state] = least
      this.costRound[state] = this.round
    }
    return many.map((seeds) => {
      let least = Number.POSITIVE_INFINITY
      for (const { state, cost } of seeds) least = Math.min(least, cost + (this.cost[state] as number))
      return least
    })
  }

  /** Sets the costs of the states that one end reaches upward, and returns these from low to high. */
  private climb(seeds: readonly Seed[], { start, head, cost: costs }: Arcs): number[] {
    this.round++
    for (const { state, cost } of seeds) this.improve(state, cost)
    // From low to high: all arcs into a state are relaxed before those out of it.
    const states = this.reachedFrom(seeds, { start, head }).reverse()
    for (const state of states) {
      const cost = this.cost[state] as number
      const end = start[state + 1] as number
      for (let arc = start[state] as number; arc < end; arc++)
        this.improve(head[arc] as number, cost + (costs[arc] as number))
    }
    return states
  }

  private improve(state: number, cost: Cost): void {
    if (this.costRound[state] === this.round && (this.cost[state] as number) <= cost) return
    this.costRound[state] = this.round
    this.cost[state] = cost
  }

  /** The states that can be reached upward: each after all that it reaches (depth-first postorder). */
  private reachedFrom(seeds: readonly Seed[], { start, head }: Pick<Arcs, 'start' | 'head'>): number[] {
    const { cursor, seen } = this
    const round = ++this.seenRound
    const order: number[] = []
    const path: number[] = []
    const enter = (state: number) => {
      seen[state] = round
      cursor[state] = start[state] as number
      path.push(state)
    }
    for (const seed of seeds) {
      if (seen[seed.state] === round) continue
      enter(seed.state)
      while (path.length > 0) {
        const state = path.at(-1) as number
        const arc = cursor[state] as number
        if (arc === start[state + 1]) {
          order.push(state)
          path.pop()
          continue
        }
        cursor[state] = arc + 1
        const next = head[arc] as number
        if (seen[next] !== round) enter(next)
      }
    }
    return order
  }
}
