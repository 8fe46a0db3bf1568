import type { RoadGraph } from './turn-states.ts'

/** Strongly connected components: the number of each state's, and the arcs within each. */
export interface Components {
  componentOf: Int32Array
  steps: Uint32Array
}

/** Tarjan's algorithm (1972) without recursion. */
export function components({ nodeCount, tail, head }: RoadGraph): Components {
  const start = new Uint32Array(nodeCount + 1)
  for (const node of tail) start[node + 1] = (start[node + 1] as number) + 1
  for (let node = 0; node < nodeCount; node++)
    start[node + 1] = (start[node + 1] as number) + (start[node] as number)
  const order = new Int32Array(nodeCount).fill(-1)
  const low = new Int32Array(nodeCount)
  const componentOf = new Int32Array(nodeCount).fill(-1)
  const cursor = start.slice(0, nodeCount)
  const open: number[] = []
  let count = 0
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
      const arc = cursor[node] as number
      if (arc < (start[node + 1] as number)) {
        cursor[node] = arc + 1
        const next = head[arc] as number
        if (order[next] === -1) path.push(next)
        else if (componentOf[next] === -1) low[node] = Math.min(low[node] as number, order[next] as number)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[node] as number)
      if (low[node] !== order[node]) continue
      let member: number
      do {
        member = open.pop() as number
        componentOf[member] = count
      } while (member !== node)
      count++
    }
  }
  const steps = new Uint32Array(count)
  tail.forEach((node, arc) => {
    const component = componentOf[node] as number
    if (component === componentOf[head[arc] as number]) steps[component] = (steps[component] as number) + 1
  })
  return { componentOf, steps }
}
