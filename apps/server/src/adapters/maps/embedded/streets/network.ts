/**
 * The streets as number columns. A node is where streets meet or end; an edge is the piece of street between two
 * nodes, with vertices from `vertexStart[edge]` to `vertexStart[edge + 1]` in world units. Durations are integer
 * milliseconds and lengths decimetres, so that sums do not depend on the order of addition; 0 ms means that the
 * direction is closed.
 */
export interface Network {
  edgeFrom: Uint32Array
  edgeTo: Uint32Array
  forwardMs: Uint32Array
  backwardMs: Uint32Array
  edgeDm: Uint32Array
  /** A sum of `edgeKind` values. */
  edgeKinds: Uint8Array
  vertexStart: Uint32Array
  vertexX: Uint32Array
  vertexY: Uint32Array
}

/** On a private edge, a trip can only begin or end; no trip begins or ends on a ferry. */
export const edgeKind = { private: 1, ferry: 2 } as const

/** A step drives an edge in one direction: edge * 2, plus 1 against the edge. */
export const stepMs = (network: Network, step: number): number =>
  (step % 2 === 0 ? network.forwardMs : network.backwardMs)[step >> 1] as number

export const stepTail = (network: Network, step: number): number =>
  (step % 2 === 0 ? network.edgeFrom : network.edgeTo)[step >> 1] as number

export const stepHead = (network: Network, step: number): number => stepTail(network, step ^ 1)

export const isPrivate = (network: Network, edge: number): boolean =>
  ((network.edgeKinds[edge] as number) & edgeKind.private) !== 0

/**
 * Where turn restrictions need more than a node: a state is a node, or a node together with the last steps to it. The
 * columns are pairs, sorted by their first.
 */
export interface TurnTables {
  /** The state after a step, unless it is the node at its end. */
  exitStep: Uint32Array
  exitState: Uint32Array
  /** States besides the node from which a step is allowed. */
  entryStep: Uint32Array
  entryState: Uint32Array
  /** States besides the node itself. */
  stateNode: Uint32Array
  nodeState: Uint32Array
}

/** The first index of a sorted column whose value is at least `key`. */
export function firstAtLeast(column: Uint32Array, key: number): number {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((column[middle] as number) < key) low = middle + 1
    else high = middle
  }
  return low
}
