import type { RoadSource } from '../source/map-source.ts'
import { components } from './components.ts'
import { isPrivate, type Network, stepHead, stepMs, stepTail, type TurnTables } from './network.ts'
import { forbiddenPaths } from './restrictions.ts'
import { splitWays } from './split-ways.ts'
import { type RoadGraph, TurnStates } from './turn-states.ts'

/** The network during preparation: `graph` is the input of the hierarchy; `edgeName` is empty for unnamed streets. */
export interface BuiltNetwork extends Network {
  edgeName: string[]
  graph: RoadGraph
  turns: TurnTables
}

/** As in GraphHopper, smaller isolated parts are left out, in directed edges (its min_network_size is in edges). */
const leastSteps = 400

/**
 * Builds the car network from the map data: splits ways where they meet and at barriers, applies turn restrictions,
 * and keeps the largest strongly connected component and all others of 200 streets or more: islands, towns across a
 * border. Every kept position can be left and reached. Private streets are kept where they connect to these.
 */
export function buildNetwork(roads: RoadSource): BuiltNetwork {
  const streets = splitWays(roads)
  const states = new TurnStates(streets, forbiddenPaths(roads.restrictions, streets))
  const graph = states.graph()
  const { componentOf, steps } = components(graph)
  const most = steps.reduce((best, count) => Math.max(best, count), 0)
  const isKept = (state: number) => {
    const count = steps[componentOf[state] as number] as number
    return count === most || count >= leastSteps
  }
  const usable = new Uint8Array(streets.edgeFrom.length * 2)
  graph.step.forEach((step, arc) => {
    const tail = graph.tail[arc] as number
    if (isKept(tail) && componentOf[tail] === componentOf[graph.head[arc] as number]) usable[step] = 1
  })
  markStarts(graph, isKept, usable)
  const isPublic = new Uint8Array(streets.nodeCount)
  usable.forEach((known, step) => {
    if (known) isPublic[stepTail(streets, step)] = 1
  })
  markPrivate(streets, isPublic, usable)
  return compact(streets, states, graph, { usable, isPublic })
}

/**
 * Marks the other direction of two-way streets where only a trip that begins there can take it, because restrictions
 * forbid every turn into it.
 */
function markStarts(graph: RoadGraph, isKept: (state: number) => boolean, usable: Uint8Array): void {
  const leads = new Uint8Array(graph.nodeCount)
  for (let state = 0; state < graph.nodeCount; state++) leads[state] = isKept(state) ? 1 : 0
  let outside: number[] = []
  graph.step.forEach((step, arc) => {
    if (!usable[step] || !leads[graph.tail[arc] as number]) outside.push(arc)
  })
  for (let before = -1; before !== outside.length; ) {
    before = outside.length
    outside = outside.filter((arc) => {
      const step = graph.step[arc] as number
      if (!leads[graph.head[arc] as number]) return true
      if (!usable[step] && !usable[step ^ 1]) return true
      usable[step] = 1
      leads[graph.tail[arc] as number] = 1
      return false
    })
  }
}

/** Marks the private steps that can be reached from public streets and lead back to them. */
function markPrivate(
  streets: Network & { nodeCount: number },
  isPublic: Uint8Array,
  usable: Uint8Array,
): void {
  const steps: number[] = []
  for (let step = 0; step < usable.length; step++) {
    if (isPrivate(streets, step >> 1) && stepMs(streets, step) > 0) steps.push(step)
  }
  const spread = (from: typeof stepTail, to: typeof stepTail) => {
    const reached = Uint8Array.from(isPublic)
    const byStart = new Map<number, number[]>()
    for (const step of steps) {
      const start = from(streets, step)
      byStart.set(start, [...(byStart.get(start) ?? []), step])
    }
    const open = [...byStart.keys()].filter((node) => reached[node])
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const step of byStart.get(node) ?? []) {
        const next = to(streets, step)
        if (reached[next]) continue
        reached[next] = 1
        open.push(next)
      }
    }
    return reached
  }
  const reachable = spread(stepTail, stepHead)
  const leaving = spread(stepHead, stepTail)
  for (const step of steps) {
    if (reachable[stepTail(streets, step)] && leaving[stepHead(streets, step)]) usable[step] = 1
  }
}

interface Kept {
  usable: Uint8Array
  isPublic: Uint8Array
}

/**
 * Drops unusable edges and states and renumbers the rest: states first, then nodes that only private streets reach.
 */
function compact(
  streets: ReturnType<typeof splitWays>,
  states: TurnStates,
  graph: RoadGraph,
  { usable, isPublic }: Kept,
): BuiltNetwork {
  const stateOf = new Int32Array(graph.nodeCount).fill(-1)
  let stateCount = 0
  for (let state = 0; state < graph.nodeCount; state++) {
    // Some have no arc to them, and are needed for trips that begin exactly there.
    const last = states.memory(state)?.last
    if (last === undefined ? isPublic[state] : usable[last]) stateOf[state] = stateCount++
  }
  let nextNode = stateCount
  const edgeOf = new Int32Array(streets.edgeFrom.length).fill(-1)
  const edges: number[] = []
  const nodeOf = (node: number) => {
    if (stateOf[node] === -1) stateOf[node] = nextNode++
    return stateOf[node] as number
  }
  for (let edge = 0; edge < edgeOf.length; edge++) {
    if (usable[edge * 2] || usable[edge * 2 + 1]) edgeOf[edge] = edges.push(edge) - 1
  }
  const newStep = (step: number) => (edgeOf[step >> 1] as number) * 2 + (step % 2)
  const column = (from: Uint32Array) => Uint32Array.from(edges, (edge) => from[edge] as number)
  const ms = (direction: number) =>
    Uint32Array.from(edges, (edge) =>
      usable[edge * 2 + direction] ? stepMs(streets, edge * 2 + direction) : 0,
    )
  const vertexStart = new Uint32Array(edges.length + 1)
  edges.forEach((edge, at) => {
    const count = (streets.vertexStart[edge + 1] as number) - (streets.vertexStart[edge] as number)
    vertexStart[at + 1] = (vertexStart[at] as number) + count
  })
  const vertices = (from: Uint32Array) => {
    const kept = new Uint32Array(vertexStart[edges.length] as number)
    edges.forEach((edge, at) => {
      kept.set(from.subarray(streets.vertexStart[edge], streets.vertexStart[edge + 1]), vertexStart[at])
    })
    return kept
  }
  const arcs: number[] = []
  graph.step.forEach((step, arc) => {
    const tail = stateOf[graph.tail[arc] as number] as number
    const head = stateOf[graph.head[arc] as number] as number
    if (usable[step] && tail >= 0 && tail < stateCount && head >= 0 && head < stateCount) arcs.push(arc)
  })
  const arcColumn = (from: Uint32Array, change = (value: number) => value) =>
    Uint32Array.from(arcs, (arc) => change(from[arc] as number))
  const node = (state: number) => stateOf[state] as number
  const pairs = (list: [number, number][]) => list.sort(([a], [b]) => a - b)
  const memory = states.all().filter(({ id }) => stateOf[id] !== -1)
  const exits = pairs(
    states
      .exits()
      .filter(([step, state]) => usable[step] && stateOf[state] !== -1)
      .map(([step, state]) => [newStep(step), node(state)]),
  )
  const entries = pairs(
    memory.flatMap(({ id, allowed }) =>
      allowed.filter((step) => usable[step]).map((step): [number, number] => [newStep(step), node(id)]),
    ),
  )
  return {
    edgeFrom: Uint32Array.from(edges, (edge) => nodeOf(streets.edgeFrom[edge] as number)),
    edgeTo: Uint32Array.from(edges, (edge) => nodeOf(streets.edgeTo[edge] as number)),
    forwardMs: ms(0),
    backwardMs: ms(1),
    edgeDm: column(streets.edgeDm),
    edgeKinds: Uint8Array.from(edges, (edge) => streets.edgeKinds[edge] as number),
    vertexStart,
    vertexX: vertices(streets.vertexX),
    vertexY: vertices(streets.vertexY),
    edgeName: edges.map((edge) => streets.edgeName[edge] as string),
    graph: {
      nodeCount: stateCount,
      tail: arcColumn(graph.tail, node),
      head: arcColumn(graph.head, node),
      ms: arcColumn(graph.ms),
      dm: arcColumn(graph.dm),
      step: arcColumn(graph.step, newStep),
    },
    turns: {
      exitStep: Uint32Array.from(exits, ([step]) => step),
      exitState: Uint32Array.from(exits, ([, state]) => state),
      entryStep: Uint32Array.from(entries, ([step]) => step),
      entryState: Uint32Array.from(entries, ([, state]) => state),
      ...nodeStates(memory.map(({ id, node: at }) => [node(at), node(id)])),
    },
  }
}

function nodeStates(pairs: [node: number, state: number][]): Pick<TurnTables, 'stateNode' | 'nodeState'> {
  const sorted = pairs.sort(([a], [b]) => a - b)
  return {
    stateNode: Uint32Array.from(sorted, ([node]) => node),
    nodeState: Uint32Array.from(sorted, ([, state]) => state),
  }
}

/** The network with the hierarchy's numbers: a state is its rank. Nodes beyond the ranks keep theirs. */
export function numberByRank(
  network: BuiltNetwork,
  rankOf: Uint32Array,
): { network: Network; turns: TurnTables } {
  const ranked = (column: Uint32Array) => column.map((state) => rankOf[state] ?? state)
  const { edgeName: _, graph: __, turns, ...columns } = network
  const { stateNode, nodeState, ...steps } = turns
  const pairs = Array.from(ranked(stateNode), (node, at): [number, number] => [
    node,
    rankOf[nodeState[at] as number] as number,
  ])
  return {
    network: { ...columns, edgeFrom: ranked(columns.edgeFrom), edgeTo: ranked(columns.edgeTo) },
    turns: {
      ...steps,
      exitState: ranked(steps.exitState),
      entryState: ranked(steps.entryState),
      ...nodeStates(pairs),
    },
  }
}
