import { MinHeap } from './heap.ts'
import type { Network } from './network.ts'

/**
 * A contraction hierarchy (Geisberger, Sanders, Schultes, Delling, 2008). Every node has a rank; an arc is stored at
 * its lower end: `up` has the arcs that leave it, `down` the arcs that reach it, both in the node's slice from
 * `start[node]` to `start[node + 1]`. `via` is the middle node of a shortcut if zero or more; otherwise the edge, as -1
 * - (edge * 2 + direction), where direction 1 is against the edge.
 */
export interface Hierarchy {
  upStart: Uint32Array
  upHead: Uint32Array
  upMs: Uint32Array
  upVia: Int32Array
  downStart: Uint32Array
  downHead: Uint32Array
  downMs: Uint32Array
  downVia: Int32Array
}

interface Arc {
  node: number
  ms: number
  via: number
}

/**
 * Nodes a witness search may settle before the shortcut is added anyway; a higher limit is slower and adds fewer
 * shortcuts.
 */
const witnessLimit = 80

/**
 * Orders and contracts the complete network. Takes about a second for a city; paths are exactly as long as Dijkstra's.
 */
export function buildHierarchy(network: Network): Hierarchy {
  return new Contraction(network).run()
}

class Contraction {
  private readonly out: Arc[][]
  private readonly into: Arc[][]
  private readonly up: Arc[][]
  private readonly down: Arc[][]
  private readonly depth: Uint32Array
  private readonly reached: Float64Array
  private readonly touched: number[] = []
  private readonly queue = new MinHeap()

  constructor(network: Network) {
    const empty = (): Arc[][] => Array.from({ length: network.nodeCount }, () => [])
    this.out = empty()
    this.into = empty()
    this.up = empty()
    this.down = empty()
    this.depth = new Uint32Array(network.nodeCount)
    this.reached = new Float64Array(network.nodeCount).fill(Number.POSITIVE_INFINITY)
    network.edgeFrom.forEach((from, edge) => {
      const to = network.edgeTo[edge] as number
      if (from === to) return
      const forward = network.forwardMs[edge] as number
      const backward = network.backwardMs[edge] as number
      if (forward > 0) this.link(from, to, forward, -1 - edge * 2)
      if (backward > 0) this.link(to, from, backward, -2 - edge * 2)
    })
  }

  run(): Hierarchy {
    const order = new MinHeap()
    for (let node = 0; node < this.out.length; node++) order.push(this.priority(node), node)
    while (order.size > 0) {
      const node = order.pop()
      const priority = this.priority(node)
      if (priority > order.leastKey) order.push(priority, node)
      else this.contract(node)
    }
    const up = columns(this.up)
    const down = columns(this.down)
    return {
      upStart: up.start,
      upHead: up.head,
      upMs: up.ms,
      upVia: up.via,
      downStart: down.start,
      downHead: down.head,
      downMs: down.ms,
      downVia: down.via,
    }
  }

  private link(from: number, to: number, ms: number, via: number): void {
    const out = this.out[from] as Arc[]
    const known = out.find((arc) => arc.node === to)
    if (!known) {
      out.push({ node: to, ms, via })
      this.into[to]?.push({ node: from, ms, via })
    } else if (ms < known.ms) {
      Object.assign(known, { ms, via })
      Object.assign(this.into[to]?.find((arc) => arc.node === from) as Arc, { ms, via })
    }
  }

  /** Prefers nodes with few shortcuts, spread evenly: the more nodes contracted beneath a node, the later its turn. */
  private priority(node: number): number {
    const removed = (this.out[node] as Arc[]).length + (this.into[node] as Arc[]).length
    return 2 * this.shortcuts(node).length - removed + (this.depth[node] as number)
  }

  private contract(node: number): void {
    const shortcuts = this.shortcuts(node)
    this.up[node] = this.out[node] as Arc[]
    this.down[node] = this.into[node] as Arc[]
    for (const arc of this.out[node] as Arc[]) this.leave(this.into, arc.node, node)
    for (const arc of this.into[node] as Arc[]) this.leave(this.out, arc.node, node)
    for (const { from, to, ms } of shortcuts) this.link(from, to, ms, node)
  }

  private leave(side: Arc[][], node: number, gone: number): void {
    const arcs = side[node] as Arc[]
    arcs.splice(
      arcs.findIndex((arc) => arc.node === gone),
      1,
    )
    this.depth[node] = Math.max(this.depth[node] as number, (this.depth[gone] as number) + 1)
  }

  private shortcuts(node: number): { from: number; to: number; ms: number }[] {
    const out = this.out[node] as Arc[]
    const found: { from: number; to: number; ms: number }[] = []
    for (const into of this.into[node] as Arc[]) {
      let limit = 0
      for (const arc of out) if (arc.node !== into.node) limit = Math.max(limit, into.ms + arc.ms)
      if (limit === 0) continue
      this.witness(into.node, node, limit)
      for (const arc of out) {
        const ms = into.ms + arc.ms
        if (arc.node !== into.node && (this.reached[arc.node] as number) > ms)
          found.push({ from: into.node, to: arc.node, ms })
      }
      for (const touched of this.touched) this.reached[touched] = Number.POSITIVE_INFINITY
      this.touched.length = 0
    }
    return found
  }

  /** A bounded Dijkstra search that skips `without`; distances are in `reached`. */
  private witness(from: number, without: number, limit: number): void {
    const { queue, reached, touched } = this
    queue.clear()
    queue.push(0, from)
    reached[from] = 0
    touched.push(from)
    for (let settled = 0; settled < witnessLimit && queue.size > 0; settled++) {
      const ms = queue.leastKey
      if (ms > limit) return
      const node = queue.pop()
      if (ms > (reached[node] as number)) continue
      for (const arc of this.out[node] as Arc[]) {
        const total = ms + arc.ms
        if (arc.node === without || total >= (reached[arc.node] as number)) continue
        reached[arc.node] = total
        touched.push(arc.node)
        queue.push(total, arc.node)
      }
    }
  }
}

function columns(lists: Arc[][]) {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  const start = new Uint32Array(lists.length + 1)
  const head = new Uint32Array(count)
  const ms = new Uint32Array(count)
  const via = new Int32Array(count)
  let next = 0
  lists.forEach((list, node) => {
    start[node] = next
    for (const arc of list) {
      head[next] = arc.node
      ms[next] = arc.ms
      via[next] = arc.via
      next++
    }
  })
  start[lists.length] = next
  return { start, head, ms, via }
}
