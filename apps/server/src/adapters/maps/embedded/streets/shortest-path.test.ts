import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readQaTiles } from '../source/qa-tiles.ts'
import { buildHierarchy } from './hierarchy.ts'
import { buildNetwork, type Network } from './network.ts'
import { plainDijkstra } from './plain-dijkstra.ts'
import { PathFinder } from './shortest-path.ts'

/** A network of plain links between numbered nodes, without geometry. */
function linked(
  nodeCount: number,
  links: [from: number, to: number, forwardMs: number, backwardMs: number][],
): Network {
  const none = new Float64Array(links.length * 2)
  return {
    nodeCount,
    edgeFrom: Uint32Array.from(links, ([from]) => from),
    edgeTo: Uint32Array.from(links, ([, to]) => to),
    forwardMs: Uint32Array.from(links, ([, , forward]) => forward),
    backwardMs: Uint32Array.from(links, ([, , , backward]) => backward),
    vertexStart: Uint32Array.from([...links.keys(), links.length], (edge) => edge * 2),
    vertexX: new Uint32Array(links.length * 2),
    vertexY: new Uint32Array(links.length * 2),
    vertexLat: none,
    vertexLng: none,
    vertexMetres: none,
  }
}

/** The cost of driving the edges in order; throws if they do not connect or go against a one-way. */
function driven(network: Network, from: number, to: number, edges: number[]): number {
  let at = from
  let ms = 0
  for (const step of edges) {
    const [edge, against] = [step >> 1, step % 2 === 1]
    const begin = (against ? network.edgeTo : network.edgeFrom)[edge]
    const cost = (against ? network.backwardMs : network.forwardMs)[edge] as number
    if (begin !== at) throw new Error(`edge ${edge} does not begin at ${at}`)
    if (cost === 0) throw new Error(`edge ${edge} is one-way`)
    at = (against ? network.edgeFrom : network.edgeTo)[edge] as number
    ms += cost
  }
  if (at !== to) throw new Error(`the path ends at ${at}, not at ${to}`)
  return ms
}

const smallNetwork = fc.integer({ min: 2, max: 12 }).chain((nodeCount) => {
  const node = fc.integer({ min: 0, max: nodeCount - 1 })
  const ms = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 }))
  return fc.array(fc.tuple(node, node, ms, ms), { maxLength: 40 }).map((links) => linked(nodeCount, links))
})

describe('PathFinder', () => {
  it('any small network, with parallel, looped, one-way and disconnected edges -> same cost as Dijkstra', () => {
    fc.assert(
      fc.property(smallNetwork, (network) => {
        const finder = new PathFinder(buildHierarchy(network))
        const reference = plainDijkstra(network)
        for (let from = 0; from < network.nodeCount; from++) {
          for (let to = 0; to < network.nodeCount; to++) {
            const path = finder.path([{ node: from, ms: 0 }], [{ node: to, ms: 0 }])
            expect(path?.ms ?? Number.POSITIVE_INFINITY).toBe(reference(from, to))
            if (path) expect(driven(network, from, to, path.edges)).toBe(path.ms)
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  describe('in Montevideo', () => {
    let network: Network
    let finder: PathFinder
    let reference: (from: number, to: number) => number
    beforeAll(() => {
      network = buildNetwork(readQaTiles().roads)
      finder = new PathFinder(buildHierarchy(network))
      reference = plainDijkstra(network)
    })

    it('random pairs -> same cost as Dijkstra, edges connect', () => {
      const node = fc.integer({ min: 0, max: network.nodeCount - 1 })
      fc.assert(
        fc.property(node, node, (from, to) => {
          const path = finder.path([{ node: from, ms: 0 }], [{ node: to, ms: 0 }])
          if (!path) throw new Error('a node of the main part cannot be reached')
          expect(path.ms).toBe(reference(from, to))
          expect(driven(network, from, to, path.edges)).toBe(path.ms)
        }),
        { numRuns: 300 },
      )
    })

    it('several sources and targets -> the best pair', () => {
      const node = fc.integer({ min: 0, max: network.nodeCount - 1 })
      const seed = fc.record({ node, ms: fc.integer({ min: 0, max: 120_000 }) })
      const seeds = fc.array(seed, { minLength: 1, maxLength: 2 })
      fc.assert(
        fc.property(seeds, seeds, (sources, targets) => {
          const path = finder.path(sources, targets)
          const ways = sources.flatMap((a) => targets.map((b) => a.ms + reference(a.node, b.node) + b.ms))
          expect(path?.ms).toBe(Math.min(...ways))
        }),
        { numRuns: 50 },
      )
    })

    it('bound below the cost -> null', () => {
      const whole = finder.path([{ node: 0, ms: 0 }], [{ node: network.nodeCount - 1, ms: 0 }])
      const ms = whole?.ms as number
      expect(finder.path([{ node: 0, ms: 0 }], [{ node: network.nodeCount - 1, ms: 0 }], ms)).toBeNull()
      expect(finder.path([{ node: 0, ms: 0 }], [{ node: network.nodeCount - 1, ms: 0 }], ms + 1)?.ms).toBe(ms)
    })
  })
})
