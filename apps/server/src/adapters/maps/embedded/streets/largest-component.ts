interface Link {
  from: number
  to: number
  forwardKmh: number
  backwardKmh: number
}

/** Marks the nodes of the largest strongly connected component, with Tarjan's algorithm without recursion. */
export function largestComponent(nodeCount: number, links: Link[]): Uint8Array {
  const out: number[][] = Array.from({ length: nodeCount }, () => [])
  for (const link of links) {
    if (link.forwardKmh > 0) out[link.from]?.push(link.to)
    if (link.backwardKmh > 0) out[link.to]?.push(link.from)
  }
  const order = new Int32Array(nodeCount).fill(-1)
  const low = new Int32Array(nodeCount)
  const part = new Int32Array(nodeCount).fill(-1)
  const cursor = new Uint32Array(nodeCount)
  const open: number[] = []
  const sizes: number[] = []
  let clock = 0
  for (let root = 0; root < nodeCount; root++) {
    if (order[root] !== -1) continue
    const path = [root]
    while (path.length > 0) {
      const node = path.at(-1) as number
      if (order[node] === -1) {
        order[node] = low[node] = clock++
        open.push(node)
      }
      const at = cursor[node] as number
      cursor[node] = at + 1
      const next = out[node]?.[at]
      if (next !== undefined) {
        if (order[next] === -1) path.push(next)
        else if (part[next] === -1) low[node] = Math.min(low[node] as number, order[next] as number)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[node] as number)
      if (low[node] !== order[node]) continue
      let member: number
      let size = 0
      do {
        member = open.pop() as number
        part[member] = sizes.length
        size++
      } while (member !== node)
      sizes.push(size)
    }
  }
  const largest = sizes.indexOf(Math.max(...sizes))
  return Uint8Array.from(part, (number) => (number === largest ? 1 : 0))
}
