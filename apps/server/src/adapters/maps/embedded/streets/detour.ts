import { MinHeap } from '@hansom/domain/min-heap'
import { type Network, stepHead, stepMs } from './network.ts'

/** Farther than this, a car may turn around instead. */
const longestMs = 10 * 60_000
const mostSettled = 3_000

/** A state in which turns are restricted: its node, the last step to it, and the steps that it restricts. */
interface RestrictedState {
  id: number
  node: number
  last: number
  forbidden: ReadonlySet<number>
  continued: ReadonlySet<number>
}

/** The states of a network and the moves between them, see `turn-states.ts`. */
interface Moves {
  network: Network & { nodeCount: number }
  next(state: number, step: number): number
  after(step: number): number
  eachMove(state: number, last: number, see: (step: number, state: number, extraMs: number) => void): void
}

/** A position in an edge-based search: a state and the last step, which for a node is not part of the state. */
interface Position {
  state: number
  last: number
}

/**
 * Milliseconds from a state back to its junction, without turning around, to where all turns that it restricts are
 * unrestricted. At most ten minutes, also if there is no such way.
 */
export function shortestDetour(states: Moves, from: RestrictedState): number {
  const { network } = states
  const missing = new Set([...from.forbidden, ...from.continued])
  const positions: Position[] = [{ state: from.id, last: from.last }]
  const reached = new Map<number, number>()
  const queue = new MinHeap(64)
  queue.push(0, 0)
  const keyOf = ({ state, last }: Position) => (state < network.nodeCount ? last : 2 ** 32 + state)
  for (let settled = 0; queue.size > 0 && settled < mostSettled; ) {
    const ms = queue.leastKey
    const position = positions[queue.pop()] as Position
    if (ms >= longestMs) break
    if (ms > (reached.get(keyOf(position)) ?? Number.POSITIVE_INFINITY)) continue
    settled++
    if (stepHead(network, position.last) === from.node) {
      for (const step of missing) {
        const isTurn = step !== (position.last ^ 1)
        if (isTurn && states.next(position.state, step) === states.after(step)) missing.delete(step)
      }
      if (missing.size === 0) return ms
    }
    states.eachMove(position.state, position.last, (step, state, extraMs) => {
      const total = ms + stepMs(network, step) + extraMs
      const next = { state, last: step }
      if (total >= (reached.get(keyOf(next)) ?? Number.POSITIVE_INFINITY)) return
      reached.set(keyOf(next), total)
      queue.push(total, positions.push(next) - 1)
    })
  }
  return longestMs
}
