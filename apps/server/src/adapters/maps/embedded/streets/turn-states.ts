import { shortestDetour } from './detour.ts'
import { isPrivate, type Network, stepHead, stepMs, stepTail } from './network.ts'

/** Arcs between states, sorted by `tail`: the input of the hierarchy. `step` is the driven edge and direction. */
export interface RoadGraph {
  nodeCount: number
  tail: Uint32Array
  head: Uint32Array
  ms: Uint32Array
  dm: Uint32Array
  step: Uint32Array
}

/** A node together with the last steps that led to it; `depth` is their number. */
export interface Memory {
  id: number
  node: number
  last: number
  depth: number
  /** The state for the steps without the first; -1 is the node itself. */
  shorter: number
  /** Steps that would complete a forbidden path. */
  forbidden: Set<number>
  /** Steps that would continue one. */
  continued: Set<number>
  parent: number
}

/**
 * Turning around at the end of a dead-end street, where a restricted turn leads only there. GraphHopper never turns
 * around; its documentation suggests 60 s as the cost.
 */
export const turnAroundMs = 60_000

/**
 * Splits nodes only where turn restrictions need it. A state is a node, numbered as such, or a node with the last steps
 * (numbers from `nodeCount`): the prefixes of forbidden paths, as in the automaton of Aho and Corasick (1975). A car
 * in such a state must not turn around either, nor at the next junctions, as long as that would be a shorter way to the
 * forbidden turn than the shortest permitted one; elsewhere, turning around never shortens a route. Costs therefore
 * equal those of an edge-based search without turning around, with few more nodes.
 */
export class TurnStates {
  private readonly memories: Memory[] = []
  private readonly children = new Map<number, number>()
  private readonly afterStep = new Map<number, number>()
  private readonly outStart: Uint32Array
  private readonly outStep: Uint32Array

  constructor(
    readonly network: Network & { nodeCount: number },
    paths: readonly number[][],
  ) {
    const { start, steps } = stepsOut(network)
    this.outStart = start
    this.outStep = steps
    for (const path of paths) this.forbid(path)
    this.linkShorter()
    // The states added for one restriction do not change what is permitted, so their order does not matter.
    for (const state of this.memories.slice()) this.rememberNear(state, shortestDetour(this, state))
  }

  /** Open steps that leave a node. */
  out(node: number): Uint32Array {
    return this.outStep.subarray(this.outStart[node], this.outStart[node + 1])
  }

  memory(state: number): Memory | undefined {
    return this.memories[state - this.network.nodeCount]
  }

  all(): (Memory & { allowed: number[] })[] {
    return this.memories.map((memory) => ({
      ...memory,
      allowed: [...this.out(memory.node)].filter(
        (step) => step !== (memory.last ^ 1) && !memory.forbidden.has(step),
      ),
    }))
  }

  /** The steps after which a car is in a state with memory. */
  exits(): [step: number, state: number][] {
    return [...this.afterStep]
  }

  /** The state after a step from a node without memory. */
  after(step: number): number {
    return this.afterStep.get(step) ?? stepHead(this.network, step)
  }

  /** The state after a step, or -1 if a restriction forbids it. Turning around is not considered. */
  next(state: number, step: number): number {
    let memory = this.memory(state)
    if (memory?.forbidden.has(step)) return -1
    while (memory) {
      const child = this.children.get(this.childKey(memory.id, step))
      if (child !== undefined) return child
      memory = this.memory(memory.shorter)
    }
    return this.after(step)
  }

  /** The public steps from a state and the states after them; turning around only if there is no other. */
  eachMove(state: number, last: number, visit: (step: number, next: number, extraMs: number) => void): void {
    const node = this.memory(state)?.node ?? state
    let hasMove = false
    for (const step of this.out(node)) {
      if (step === (last ^ 1) || isPrivate(this.network, step >> 1)) continue
      const next = this.next(state, step)
      if (next === -1) continue
      hasMove = true
      visit(step, next, 0)
    }
    const back = last ^ 1
    if (hasMove || last < 0 || stepMs(this.network, back) === 0 || isPrivate(this.network, back >> 1)) return
    const next = this.next(state, back)
    if (next !== -1) visit(back, next, turnAroundMs)
  }

  graph(): RoadGraph {
    const { nodeCount } = this.network
    const states = nodeCount + this.memories.length
    const eachArc = (visit: (tail: number, step: number, head: number, extraMs: number) => void) => {
      for (let state = 0; state < states; state++) {
        const last = this.memory(state)?.last ?? noStep
        this.eachMove(state, last, (step, head, extraMs) => visit(state, step, head, extraMs))
      }
    }
    let count = 0
    eachArc(() => count++)
    const [tail, head, ms, dm, step] = Array.from({ length: 5 }, () => new Uint32Array(count)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ]
    let arc = 0
    eachArc((from, driven, to, extraMs) => {
      tail[arc] = from
      head[arc] = to
      ms[arc] = stepMs(this.network, driven) + extraMs
      dm[arc] = this.network.edgeDm[driven >> 1] as number
      step[arc++] = driven
    })
    return { nodeCount: states, tail, head, ms, dm, step }
  }

  private forbid(path: readonly number[]): void {
    const last = path.at(-1) as number
    // Turning around is forbidden in every state with memory.
    if (path.length === 2 && last === ((path[0] as number) ^ 1)) return
    let state = -1
    for (const step of path.slice(0, -1))
      state = state === -1 ? this.remember(step) : this.extend(state, step)
    this.memory(state)?.forbidden.add(last)
  }

  /** The state with one remembered step. */
  private remember(step: number): number {
    const known = this.afterStep.get(step)
    if (known !== undefined) return known
    const state = this.add(step, 1, -1)
    this.afterStep.set(step, state)
    return state
  }

  private extend(parent: number, step: number): number {
    const key = this.childKey(parent, step)
    const known = this.children.get(key)
    if (known !== undefined) return known
    const state = this.add(step, (this.memory(parent)?.depth ?? 0) + 1, parent)
    this.children.set(key, state)
    this.memory(parent)?.continued.add(step)
    return state
  }

  private add(last: number, depth: number, parent: number): number {
    const id = this.network.nodeCount + this.memories.length
    const node = stepHead(this.network, last)
    this.memories.push({
      id,
      node,
      last,
      depth,
      shorter: -1,
      forbidden: new Set(),
      continued: new Set(),
      parent,
    })
    return id
  }

  private childKey(state: number, step: number): number {
    return state * this.network.edgeFrom.length * 2 + step
  }

  /** A state also forbids and continues what its shorter states do. */
  private linkShorter(): void {
    for (const memory of this.memories.toSorted((a, b) => a.depth - b.depth)) {
      if (memory.depth === 1) continue
      const before = this.memory(memory.parent)?.shorter ?? -1
      memory.shorter = this.longest(before, memory.last)
      for (const step of this.memory(memory.shorter)?.forbidden ?? []) memory.forbidden.add(step)
      for (const step of this.memory(memory.shorter)?.continued ?? []) memory.continued.add(step)
    }
  }

  private longest(from: number, step: number): number {
    for (let memory = this.memory(from); memory; memory = this.memory(memory.shorter)) {
      const child = this.children.get(this.childKey(memory.id, step))
      if (child !== undefined) return child
    }
    return this.afterStep.get(step) ?? -1
  }

  /**
   * Remembers the two-way streets around a restricted state from which turning around would lead back to its junction
   * sooner than `detourMs`.
   */
  private rememberNear({ id, last }: Memory, detourMs: number): void {
    const least = new Map<number, number>()
    const open: { state: number; last: number; ms: number }[] = [{ state: id, last, ms: 0 }]
    for (let from = open.pop(); from && least.size < mostRemembered; from = open.pop()) {
      const { state: before, last: lastStep, ms: driven } = from
      this.eachMove(before, lastStep, (step, _, extraMs) => {
        const back = stepMs(this.network, step ^ 1)
        const ms = driven + extraMs + stepMs(this.network, step) + back
        if (back === 0 || ms > detourMs || ms >= (least.get(step) ?? Number.POSITIVE_INFINITY)) return
        least.set(step, ms)
        this.remember(step)
        open.push({ state: this.next(before, step), last: step, ms })
      })
    }
  }
}

/** Bounds the states for one restriction where the map data is broken. */
const mostRemembered = 2_000

/** Stands for the last step of a state without memory: no step turns around after it. */
export const noStep = -2

function stepsOut(network: Network & { nodeCount: number }): { start: Uint32Array; steps: Uint32Array } {
  const start = new Uint32Array(network.nodeCount + 1)
  const open = network.edgeFrom.length * 2
  for (let step = 0; step < open; step++) {
    if (stepMs(network, step) === 0) continue
    const at = stepTail(network, step) + 1
    start[at] = (start[at] as number) + 1
  }
  for (let node = 0; node < network.nodeCount; node++)
    start[node + 1] = (start[node + 1] as number) + (start[node] as number)
  const steps = new Uint32Array(start[network.nodeCount] as number)
  const next = start.slice()
  for (let step = 0; step < open; step++) {
    if (stepMs(network, step) === 0) continue
    const tail = stepTail(network, step)
    steps[next[tail] as number] = step
    next[tail] = (next[tail] as number) + 1
  }
  return { start, steps }
}
