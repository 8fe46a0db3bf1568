import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readQaTiles } from '../source/qa-tiles.ts'
import { costOf, dmOf, msOf } from './cost.ts'
import { buildHierarchy } from './hierarchy.ts'
import { type Network, stepHead, stepMs, stepTail } from './network.ts'
import { plainDijkstra } from './plain-dijkstra.ts'
import { type Path, PathFinder } from './shortest-path.ts'
import { splitWays } from './split-ways.ts'
import { TurnStates, turnAroundMs } from './turn-states.ts'

type Nodes = Network & { nodeCount: number }

/** A network of plain links between numbered nodes, without geometry. */
function linked(
  nodeCount: number,
  links: [from: number, to: number, forwardMs: number, backwardMs: number][],
): Nodes {
  return {
    nodeCount,
    edgeFrom: Uint32Array.from(links, ([from]) => from),
    edgeTo: Uint32Array.from(links, ([, to]) => to),
    forwardMs: Uint32Array.from(links, ([, , forward]) => forward),
    backwardMs: Uint32Array.from(links, ([, , , backward]) => backward),
    edgeDm: Uint32Array.from(links, (_, edge) => 10 + edge),
    edgeKinds: new Uint8Array(links.length),
    vertexStart: Uint32Array.from([...links.keys(), links.length], (edge) => edge * 2),
    vertexX: new Uint32Array(links.length * 2),
    vertexY: new Uint32Array(links.length * 2),
  }
}

/** Paths between nodes, in the hierarchy of a network with forbidden paths. */
function finderOf(network: Nodes, forbidden: readonly number[][]) {
  const states = new TurnStates(network, forbidden)
  const { hierarchy, rankOf } = buildHierarchy(states.graph())
  const finder = new PathFinder(hierarchy)
  const statesAt = Array.from({ length: network.nodeCount }, (_, node) => [node])
  for (const { id, node } of states.all()) statesAt[node]?.push(id)
  const seed = (state: number, cost = 0) => ({ state: rankOf[state] as number, cost })
  const path = (from: number, to: number, bound?: number) =>
    finder.path(
      [seed(from)],
      (statesAt[to] as number[]).map((state) => seed(state)),
      bound,
    )
  return { finder, path, seed, extraStates: states.all().length }
}

/** Checks that the steps connect, obey the forbidden paths and cost what the path says. */
function check(
  network: Nodes,
  forbidden: readonly number[][],
  [from, to]: [number, number],
  path: Path,
): void {
  let at = from
  let ms = 0
  let dm = 0
  path.steps.forEach((step, index) => {
    expect(stepTail(network, step)).toBe(at)
    expect(stepMs(network, step)).toBeGreaterThan(0)
    at = stepHead(network, step)
    ms += stepMs(network, step)
    if (index > 0 && step === ((path.steps[index - 1] as number) ^ 1)) ms += turnAroundMs
    dm += network.edgeDm[step >> 1] as number
  })
  expect(at).toBe(to)
  expect([msOf(path.cost), dmOf(path.cost)]).toEqual([ms, dm])
  const driven = path.steps.join(' ')
  for (const banned of forbidden) expect(` ${driven} `).not.toContain(` ${banned.join(' ')} `)
}

const smallNetwork = fc.integer({ min: 2, max: 9 }).chain((nodeCount) => {
  const node = fc.integer({ min: 0, max: nodeCount - 1 })
  const ms = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 }))
  return fc.array(fc.tuple(node, node, ms, ms), { maxLength: 24 }).map((links) => linked(nodeCount, links))
})

/** Random walks of two to four steps, without turning around. */
function walks(network: Nodes, choices: readonly number[][]): number[][] {
  const steps = Array.from({ length: network.edgeFrom.length * 2 }, (_, step) => step)
  return choices.flatMap(([length = 2, ...picks]) => {
    const walk: number[] = []
    for (const pick of picks.slice(0, length)) {
      const next = steps.filter(
        (step) =>
          stepMs(network, step) > 0 &&
          (walk.length === 0 ||
            (stepTail(network, step) === stepHead(network, walk.at(-1) as number) &&
              step !== ((walk.at(-1) as number) ^ 1))),
      )
      if (next.length > 0) walk.push(next[pick % next.length] as number)
    }
    return walk.length < 2 ? [] : [walk]
  })
}
const walkChoices = fc.array(
  fc.tuple(fc.integer({ min: 2, max: 4 }), fc.nat(), fc.nat(), fc.nat(), fc.nat()),
  { maxLength: 8 },
)

describe('PathFinder', () => {
  it('any small network with parallel, looped, one-way edges and forbidden paths -> same cost as Dijkstra', () => {
    fc.assert(
      fc.property(smallNetwork, walkChoices, (network, choices) => {
        const forbidden = walks(network, choices)
        const { path } = finderOf(network, forbidden)
        const reference = plainDijkstra(network, forbidden)
        for (let from = 0; from < network.nodeCount; from++) {
          for (let to = 0; to < network.nodeCount; to++) {
            const found = path(from, to)
            expect(found ? msOf(found.cost) : Number.POSITIVE_INFINITY).toBe(reference(from, to))
            if (found) check(network, forbidden, [from, to], found)
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('costs -> durations first, lengths second; both survive a sum', () => {
    expect(costOf(3, 9_000_000)).toBeLessThan(costOf(4, 0))
    const sum = costOf(80_000_000, 40_000_000) + costOf(7, 11)
    expect([msOf(sum), dmOf(sum)]).toEqual([80_000_007, 40_000_011])
  })

  describe('in Montevideo, with 400 forbidden paths', () => {
    let network: Nodes
    let forbidden: number[][]
    let found: ReturnType<typeof finderOf>
    let reference: (from: number, to: number) => number
    beforeAll(() => {
      const streets = splitWays(readQaTiles().roads)
      network = { ...streets, edgeKinds: new Uint8Array(streets.edgeKinds.length) }
      forbidden = randomPaths(network, 400)
      found = finderOf(network, forbidden)
      reference = plainDijkstra(network, forbidden)
    })

    it('random pairs -> same cost as Dijkstra, steps connect and obey', () => {
      const node = fc.integer({ min: 0, max: network.nodeCount - 1 })
      fc.assert(
        fc.property(node, node, (from, to) => {
          const path = found.path(from, to)
          expect(path ? msOf(path.cost) : Number.POSITIVE_INFINITY).toBe(reference(from, to))
          if (path) check(network, forbidden, [from, to], path)
        }),
        { numRuns: 50 },
      )
    })

    it('states for restrictions -> few', () => {
      expect(found.extraStates).toBeLessThan(network.nodeCount)
    })

    it('bound below the cost -> null', () => {
      const cost = found.path(0, 5_000)?.cost as number
      expect(found.path(0, 5_000, cost)).toBeNull()
      expect(found.path(0, 5_000, cost + 1)?.cost).toBe(cost)
    })
  })
})

/** The same paths of two or three steps in every run. */
function randomPaths(network: Nodes, count: number): number[][] {
  let state = 7
  const pick = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 4
  }
  const out = new Map<number, number[]>()
  for (let step = 0; step < network.edgeFrom.length * 2; step++) {
    if (stepMs(network, step) > 0)
      out.set(stepTail(network, step), [...(out.get(stepTail(network, step)) ?? []), step])
  }
  const paths: number[][] = []
  while (paths.length < count) {
    const walk = [pick() % (network.edgeFrom.length * 2)]
    const length = 2 + (pick() % 3 === 0 ? 1 : 0)
    while (walk.length < length) {
      const last = walk.at(-1) as number
      const next = out.get(stepHead(network, last))?.filter((step) => step !== (last ^ 1)) ?? []
      if (next.length < 2) break
      walk.push(next[pick() % next.length] as number)
    }
    if (walk.length === length && stepMs(network, walk[0] as number) > 0) paths.push(walk)
  }
  return paths
}
