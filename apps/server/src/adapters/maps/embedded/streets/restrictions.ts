import type { Tags, TurnRestriction } from '../source/map-source.ts'
import { type Network, stepHead, stepMs, stepTail } from './network.ts'
import type { StreetEdges } from './split-ways.ts'

const prohibitions = new Set([
  'no_left_turn',
  'no_right_turn',
  'no_straight_on',
  'no_u_turn',
  'no_entry',
  'no_exit',
])
const prescriptions = new Set(['only_left_turn', 'only_right_turn', 'only_straight_on', 'only_u_turn'])

/** Restrictions of these vehicles apply to cars, and exceptions for them exempt cars. */
const carKeys = ['motorcar', 'motor_vehicle'] as const

/**
 * The sequences of steps that turn restrictions forbid, from the first step to the last. Follows GraphHopper
 * (OSMRestrictionConverter, RestrictionTagParser, 2026): a restriction with missing, disconnected or ambiguous members
 * is ignored; a prescription forbids every other turn on its way.
 */
export function forbiddenPaths(restrictions: readonly TurnRestriction[], streets: StreetEdges): number[][] {
  const leaving = stepsByTail(streets)
  const paths: number[][] = []
  for (const restriction of restrictions) {
    const value = carValue(restriction.tags)
    const isOnly = prescriptions.has(value)
    if (!isOnly && !prohibitions.has(value)) continue
    const { from, to, viaNodes, viaWays } = restriction
    if (from.length > 1 && value !== 'no_entry') continue
    if (to.length > 1 && value !== 'no_exit') continue
    if (viaNodes.length > 1 || (from.length > 1 && to.length > 1)) continue
    for (const [first, last] of from.flatMap((a) => to.map((b) => [a, b] as const))) {
      const [via] = viaNodes
      const chain =
        via === undefined
          ? chainOver(streets, [first, ...viaWays, last])
          : chainAt(streets, first, streets.nodeAt(via), last)
      if (chain) paths.push(...(isOnly ? otherTurns(chain, leaving) : [chain]))
    }
  }
  return paths.filter((path) => isDrivable(streets, path))
}

/** The value that applies to cars; empty if there is none. Conditional restrictions are ignored. */
function carValue(tags: Tags): string {
  const special = Object.keys(tags).filter(
    (key) => key.startsWith('restriction:') && tags[key] !== 'give_way',
  )
  if (tags.restriction !== undefined) {
    const except = tags.except?.split(';').map((vehicle) => vehicle.trim()) ?? []
    return special.length > 0 || carKeys.some((key) => except.includes(key)) ? '' : tags.restriction
  }
  if (tags.except !== undefined) return ''
  const values = new Set(carKeys.flatMap((key) => tags[`restriction:${key}`] ?? []))
  return values.size === 1 ? ([...values][0] as string) : ''
}

/** The steps into and out of a node, if each way has exactly one edge there. */
function chainAt(streets: StreetEdges, from: number, node: number | undefined, to: number): number[] | null {
  if (node === undefined) return null
  const near = (way: number) =>
    streets.edgesOfWay
      .get(way)
      ?.filter((edge) => streets.edgeFrom[edge] === node || streets.edgeTo[edge] === node) ?? []
  const [into, ...moreInto] = near(from)
  const [out, ...moreOut] = near(to)
  if (into === undefined || out === undefined || moreInto.length > 0 || moreOut.length > 0) return null
  return [
    streets.edgeTo[into] === node ? into * 2 : into * 2 + 1,
    streets.edgeFrom[out] === node ? out * 2 : out * 2 + 1,
  ]
}

/** Beyond this many edges on the ways between, the members are not one junction. */
const longestChain = 30
/** Steps that the search for a chain may take: ways that meet in many places have too many orders. */
const mostSteps = 1_000

/**
 * The only way to drive an edge of the first way, all edges of those between, and one of the last; null if there is none,
 * or more than one, or the search takes too long.
 */
function chainOver(streets: StreetEdges, ways: number[]): number[] | null {
  if (new Set(ways).size < ways.length) return null
  const edgesOf = (way: number | undefined) => streets.edgesOfWay.get(way ?? -1) ?? []
  const between = ways.slice(1, -1).flatMap(edgesOf)
  if (between.length === 0 || between.length > longestChain) return null
  const found: number[][] = []
  let taken = 0
  const extend = (chain: number[], rest: number[]) => {
    if (found.length > 1 || ++taken > mostSteps) return
    const node = stepHead(streets, chain.at(-1) as number)
    const candidates = rest.length > 0 ? rest : edgesOf(ways.at(-1))
    for (const step of candidates.flatMap((edge) => [edge * 2, edge * 2 + 1])) {
      if (stepTail(streets, step) !== node) continue
      if (rest.length === 0) found.push([...chain, step])
      else
        extend(
          [...chain, step],
          rest.filter((edge) => edge !== step >> 1),
        )
    }
  }
  for (const edge of edgesOf(ways[0])) for (const step of [edge * 2, edge * 2 + 1]) extend([step], between)
  return found.length === 1 && taken <= mostSteps ? (found[0] as number[]) : null
}

/** Every turn that leaves the chain. Turning back at its first junction is left to the rule for all junctions. */
function otherTurns(chain: number[], leaving: Map<number, number[]>): number[][] {
  return chain.slice(1).flatMap((next, at) => {
    const driven = chain.slice(0, at + 1)
    const others = leaving.get(next) ?? []
    return others
      .filter((step) => at > 0 || step !== ((chain[0] as number) ^ 1))
      .map((step) => [...driven, step])
  })
}

/** For each step, the open steps that leave the same node. */
function stepsByTail(streets: StreetEdges): Map<number, number[]> {
  const mentioned = [...streets.edgesOfWay.values()].flat().flatMap((edge) => [edge * 2, edge * 2 + 1])
  const nodes = new Set(mentioned.map((step) => stepTail(streets, step)))
  const byNode = new Map<number, number[]>()
  for (let step = 0; step < streets.edgeFrom.length * 2; step++) {
    const tail = stepTail(streets, step)
    if (!nodes.has(tail) || stepMs(streets, step) === 0) continue
    const known = byNode.get(tail)
    if (known) known.push(step)
    else byNode.set(tail, [step])
  }
  return new Map(
    mentioned.map((step) => [
      step,
      byNode.get(stepTail(streets, step))?.filter((other) => other !== step) ?? [],
    ]),
  )
}

const isDrivable = (network: Network, path: number[]) => path.every((step) => stepMs(network, step) > 0)
