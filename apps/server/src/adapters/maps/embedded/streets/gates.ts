import { MinHeap } from '@hansom/domain/min-heap'
import { type Cost, costOf } from './cost.ts'
import {
  firstAtLeast,
  isPrivate,
  type Network,
  stepHead,
  stepMs,
  stepTail,
  type TurnTables,
} from './network.ts'
import type { Seed } from './shortest-path.ts'
import type { Snap } from './snap.ts'

/**
 * A state where a trip from or to a snapped point joins the hierarchy. `metres` is the position along the point's edge
 * where the car leaves or enters it, `steps` are the private streets between there and the state, in driving order.
 */
export interface Gate extends Seed {
  metres: number
  steps: readonly number[]
}

/** A place reached on private streets. `node` may be one that no hierarchy contains. */
interface Reached {
  node: number
  cost: Cost
  metres: number
  /** The step to it, or from it if the search is backward, */
  step: number
  /** and the place on the other side of the step; null for the point's own edge. */
  nearer: Reached | null
}

/** Closer to an end of its edge than this, a point is at the node there, where every street begins. */
const atNodeMetres = 0.05

/** A private area larger than this is not searched completely. */
const mostReached = 5_000

/** Joins snapped points to the hierarchy, over private streets if they are on one. */
export class Gates {
  private readonly privateFrom = new Map<number, number[]>()
  private readonly privateTo = new Map<number, number[]>()

  /** Nodes from `stateCount` are on private streets only. */
  constructor(
    private readonly network: Network,
    private readonly turns: TurnTables,
    private readonly stateCount: number,
  ) {
    for (let edge = 0; edge < network.edgeFrom.length; edge++) {
      if (!isPrivate(network, edge)) continue
      for (const step of [edge * 2, edge * 2 + 1]) {
        if (stepMs(network, step) === 0) continue
        listed(this.privateFrom, stepTail(network, step)).push(step)
        listed(this.privateTo, stepHead(network, step)).push(step)
      }
    }
  }

  /** Where a trip from the point enters the public streets. */
  exits(at: Snap): Gate[] {
    const node = this.nodeOf(at)
    if (node !== null && node < this.stateCount) return [gate(node, { cost: 0, metres: at.along, steps: [] })]
    return this.leave(at).flatMap((reached) =>
      reached.node < this.stateCount
        ? [gate(this.after(reached.step), { ...reached, steps: stepsOf(reached).reverse() })]
        : [],
    )
  }

  /** Where a trip to the point leaves the public streets. */
  entries(at: Snap): Gate[] {
    const node = this.nodeOf(at)
    if (node !== null && node < this.stateCount) {
      const states = [node, ...found(this.turns.stateNode, this.turns.nodeState, node)]
      return states.map((state) => gate(state, { cost: 0, metres: at.along, steps: [] }))
    }
    return this.arrive(at).flatMap((reached) => {
      if (reached.node >= this.stateCount) return []
      const steps = stepsOf(reached)
      return this.before(reached.step).map((state) => gate(state, { ...reached, steps }))
    })
  }

  /** The fastest trip on private streets alone, other than along one edge; null if there is none. */
  inside(from: Snap, to: Snap): { cost: Cost; leave: number; enter: number; steps: number[] } | null {
    if (!isPrivate(this.network, from.edge) || !isPrivate(this.network, to.edge)) return null
    const ends = new Map(this.arrive(to).map((reached) => [reached.node, reached]))
    let best: { start: Reached; end: Reached } | null = null
    for (const start of this.leave(from)) {
      const end = ends.get(start.node)
      if (end && (!best || start.cost + end.cost < best.start.cost + best.end.cost)) best = { start, end }
    }
    if (!best) return null
    const { start, end } = best
    return {
      cost: start.cost + end.cost,
      leave: start.metres,
      enter: end.metres,
      steps: [...stepsOf(start).reverse(), ...stepsOf(end)],
    }
  }

  /** The state after a step. */
  after(step: number): number {
    const [state] = found(this.turns.exitStep, this.turns.exitState, step)
    return state ?? stepHead(this.network, step)
  }

  /** The states from which a step is permitted. */
  before(step: number): number[] {
    return [stepTail(this.network, step), ...found(this.turns.entryStep, this.turns.entryState, step)]
  }

  private nodeOf({ edge, along, length }: Snap): number | null {
    if (along < atNodeMetres) return this.network.edgeFrom[edge] as number
    return length - along < atNodeMetres ? (this.network.edgeTo[edge] as number) : null
  }

  /** The nodes that a car reaches from the point, with the point's own edge as the first step. */
  private leave(at: Snap): Reached[] {
    const ends = [at.edge * 2, at.edge * 2 + 1].flatMap((step) => this.partOf(at, step, stepHead, true))
    return this.spread(at.edge, ends, this.privateFrom, stepHead)
  }

  /** The nodes from which a car reaches the point, with the point's own edge as the last step. */
  private arrive(at: Snap): Reached[] {
    const ends = [at.edge * 2, at.edge * 2 + 1].flatMap((step) => this.partOf(at, step, stepTail, false))
    return this.spread(at.edge, ends, this.privateTo, stepTail)
  }

  private partOf(at: Snap, step: number, nodeOf: typeof stepHead, isAhead: boolean): Reached[] {
    const ms = stepMs(this.network, step)
    if (ms === 0) return []
    const metres = (step % 2 === 0) === isAhead ? at.length : 0
    return [{ node: nodeOf(this.network, step), cost: partCost(ms, at, metres), metres, step, nearer: null }]
  }

  private spread(
    edge: number,
    ends: Reached[],
    next: Map<number, number[]>,
    nodeOf: typeof stepHead,
  ): Reached[] {
    if (!isPrivate(this.network, edge)) return ends
    const best = new Map<number, Reached>()
    const all = [...ends]
    const queue = new MinHeap(64)
    ends.forEach(({ cost }, index) => {
      queue.push(cost, index)
    })
    while (queue.size > 0 && best.size < mostReached) {
      const reached = all[queue.pop()] as Reached
      if (best.has(reached.node)) continue
      best.set(reached.node, reached)
      if (reached.node < this.stateCount) continue
      for (const step of next.get(reached.node) ?? []) {
        const cost =
          reached.cost + costOf(stepMs(this.network, step), this.network.edgeDm[step >> 1] as number)
        const { metres } = reached
        const node = nodeOf(this.network, step)
        queue.push(cost, all.push({ node, cost, metres, step, nearer: reached }) - 1)
      }
    }
    return [...best.values()]
  }
}

/** The cost of the part of an edge between a point on it and a position along it. */
export function partCost(edgeMs: number, { along, length }: Snap, metres: number): Cost {
  const part = Math.abs(metres - along)
  return costOf(Math.round((edgeMs * part) / (length || 1)), Math.round(part * 10))
}

/** The private steps from the place back to the point, without the point's own edge. */
function stepsOf(reached: Reached): number[] {
  const steps: number[] = []
  for (let at = reached; at.nearer !== null; at = at.nearer) steps.push(at.step)
  return steps
}

const gate = (state: number, { cost, metres, steps }: Omit<Gate, 'state'>): Gate => {
  return { state, cost, metres, steps }
}

function listed(map: Map<number, number[]>, key: number): number[] {
  const known = map.get(key)
  if (known) return known
  const list: number[] = []
  map.set(key, list)
  return list
}

/** The values of a sorted key column. */
function found(keys: Uint32Array, values: Uint32Array, key: number): number[] {
  const list: number[] = []
  for (let at = firstAtLeast(keys, key); keys[at] === key; at++) list.push(values[at] as number)
  return list
}
