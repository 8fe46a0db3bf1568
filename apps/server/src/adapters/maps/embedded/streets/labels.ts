import { MinHeap } from '@hansom/domain/min-heap'
import { type Cost, dmOf } from './cost.ts'
import type { Hierarchy } from './hierarchy.ts'
import { type Arcs, downward, type Seed, upward } from './shortest-path.ts'

/** The states that a search upward in the hierarchy settles, in order, each with its cost. */
interface Label {
  states: number[]
  costs: Cost[]
}

/** Labels take memory: about 2 kB each in a city. */
const mostLabels = 5_000

/**
 * Costs between steps of the network, as hub labels (Abraham, Delling, Goldberg, Werneck, 2011): two searches upward meet
 * where the fastest path is highest. The searches are kept, which pays where the same steps are compared many times.
 */
export class StepLabels {
  private readonly ahead = new Map<number, Label>()
  private readonly behind = new Map<number, Label>()
  private readonly up: Arcs
  private readonly down: Arcs

  /**
   * Paths longer than `metres` are not found. `after` and `before` return the states after a step, and those from which
   * it is permitted.
   */
  constructor(
    hierarchy: Hierarchy,
    private readonly metres: number,
    private readonly after: (step: number) => number,
    private readonly before: (step: number) => readonly number[],
  ) {
    this.up = upward(hierarchy)
    this.down = downward(hierarchy)
  }

  /** The cost from the end of one step to the start of another; Infinity if there is no path. */
  between(from: number, to: number): Cost {
    const ahead = kept(this.ahead, from, () => settle([this.after(from)], this.up, this.down, this.metres))
    const behind = kept(this.behind, to, () => settle(this.before(to), this.down, this.up, this.metres))
    let least = Number.POSITIVE_INFINITY
    let [a, b] = [0, 0]
    while (a < ahead.states.length && b < behind.states.length) {
      const apart = (ahead.states[a] as number) - (behind.states[b] as number)
      if (apart === 0) least = Math.min(least, (ahead.costs[a] as Cost) + (behind.costs[b] as Cost))
      if (apart <= 0) a++
      if (apart >= 0) b++
    }
    return least
  }
}

function kept(labels: Map<number, Label>, step: number, make: () => Label): Label {
  const known = labels.get(step)
  if (known) return known
  if (labels.size >= mostLabels) labels.clear()
  const label = make()
  labels.set(step, label)
  return label
}

function settle(sources: readonly number[], climb: Arcs, against: Arcs, metres: number): Label {
  const best = new Map(sources.map((state) => [state, 0]))
  const settled: Seed[] = []
  const queue = new MinHeap(64)
  for (const state of best.keys()) queue.push(0, state)
  while (queue.size > 0) {
    const cost = queue.leastKey
    const state = queue.pop()
    if (cost > (best.get(state) as Cost) || isStalled(best, against, state, cost)) continue
    settled.push({ state, cost })
    const end = climb.start[state + 1] as number
    for (let arc = climb.start[state] as number; arc < end; arc++) {
      const head = climb.head[arc] as number
      const total = cost + (climb.cost[arc] as number)
      if (total >= (best.get(head) ?? Number.POSITIVE_INFINITY)) continue
      if (dmOf(total) > metres * 10) continue
      best.set(head, total)
      queue.push(total, head)
    }
  }
  settled.sort((a, b) => a.state - b.state)
  return { states: settled.map(({ state }) => state), costs: settled.map(({ cost }) => cost) }
}

/** True if a higher state leads back to this one at a lower cost: then no fastest path passes here upward. */
function isStalled(best: Map<number, Cost>, { start, head, cost }: Arcs, state: number, own: Cost): boolean {
  const end = start[state + 1] as number
  for (let arc = start[state] as number; arc < end; arc++) {
    const higher = best.get(head[arc] as number)
    if (higher !== undefined && higher + (cost[arc] as number) < own) return true
  }
  return false
}
