import { MinHeap } from './heap.ts'
import type { Network } from './network.ts'

/**
 * Milliseconds from one node to another by Dijkstra's algorithm on the plain network, Infinity if there is no path. A
 * reference for tests and benchmarks; production code does not use it.
 */
export function plainDijkstra(network: Network): (from: number, to: number) => number {
  const out: { node: number; ms: number }[][] = Array.from({ length: network.nodeCount }, () => [])
  network.edgeFrom.forEach((from, edge) => {
    const to = network.edgeTo[edge] as number
    const forward = network.forwardMs[edge] as number
    const backward = network.backwardMs[edge] as number
    if (forward > 0) out[from]?.push({ node: to, ms: forward })
    if (backward > 0) out[to]?.push({ node: from, ms: backward })
  })
  return (from, to) => {
    const reached = new Float64Array(network.nodeCount).fill(Number.POSITIVE_INFINITY)
    const queue = new MinHeap()
    reached[from] = 0
    queue.push(0, from)
    while (queue.size > 0) {
      const ms = queue.leastKey
      const node = queue.pop()
      if (node === to) return ms
      if (ms > (reached[node] as number)) continue
      for (const arc of out[node] ?? []) {
        const total = ms + arc.ms
        if (total >= (reached[arc.node] as number)) continue
        reached[arc.node] = total
        queue.push(total, arc.node)
      }
    }
    return Number.POSITIVE_INFINITY
  }
}
