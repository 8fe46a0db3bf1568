import fc from 'fast-check'
import { expect, it } from 'vitest'
import { msOf } from './cost.ts'
import { buildHierarchy } from './hierarchy.ts'
import { Matrix } from './matrix.ts'

/** Costs between all nodes by the algorithm of Floyd and Warshall. */
function allCosts(nodeCount: number, links: readonly [number, number, number][]): number[][] {
  const costs = Array.from({ length: nodeCount }, (_, from) =>
    Array.from({ length: nodeCount }, (_, to) => (from === to ? 0 : Number.POSITIVE_INFINITY)),
  )
  const at = (from: number, to: number) => costs[from]?.[to] as number
  for (const [from, to, ms] of links) (costs[from] as number[])[to] = Math.min(at(from, to), ms)
  for (let via = 0; via < nodeCount; via++) {
    for (const row of costs)
      row.forEach((cost, to) => {
        row[to] = Math.min(cost, (row[via] as number) + at(via, to))
      })
  }
  return costs
}

it('table, pairs: any small graph, more starts or more ends, several seeds each -> the least costs', () => {
  const size = 10
  const node = fc.integer({ min: 0, max: size - 1 })
  const seeds = fc.array(fc.record({ state: node, cost: fc.integer({ min: 0, max: 9 }) }), { maxLength: 3 })
  const many = fc.array(seeds, { minLength: 1, maxLength: 6 })
  const links = fc.array(fc.tuple(node, node, fc.integer({ min: 1, max: 50 })), { maxLength: 30 })
  fc.assert(
    fc.property(links, many, many, (all, froms, tos) => {
      const sorted = all.toSorted(([a], [b]) => a - b)
      const { hierarchy, rankOf } = buildHierarchy({
        nodeCount: size,
        tail: Uint32Array.from(sorted, ([from]) => from),
        head: Uint32Array.from(sorted, ([, to]) => to),
        ms: Uint32Array.from(sorted, ([, , ms]) => ms),
        dm: Uint32Array.from(sorted, () => 1),
        step: Uint32Array.from(sorted.keys()),
      })
      const ranked = (list: typeof froms) =>
        list.map((ends) => ends.map(({ state, cost }) => ({ state: rankOf[state] as number, cost })))
      const reference = allCosts(size, all)
      const matrix = new Matrix(hierarchy)
      for (let round = 0; round < 2; round++) {
        const expected = froms.map((from) =>
          tos.map((to) =>
            Math.min(
              ...from.flatMap((a) =>
                to.map((b) => a.cost + (reference[a.state]?.[b.state] as number) + b.cost),
              ),
            ),
          ),
        )
        expect(matrix.table(ranked(froms), ranked(tos)).map((row) => row.map(msOf))).toEqual(expected)
        const wanted = froms.flatMap((_, from) =>
          tos.flatMap((_, to): [number, number][] => ((from + to) % 3 === 0 ? [] : [[from, to]])),
        )
        const some = matrix.pairs(ranked(froms), ranked(tos), wanted)
        expect(some.map(msOf)).toEqual(wanted.map(([from, to]) => expected[from]?.[to]))
      }
    }),
    { numRuns: 300 },
  )
})
