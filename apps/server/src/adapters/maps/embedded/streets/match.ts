import { setImmediate } from 'node:timers/promises'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { GpsPoint, MatchedTrack } from '../../port.ts'
import { toLatLng } from '../world.ts'
import { type Cost, dmOf } from './cost.ts'
import { appendPoint, drawEdge, drawSteps } from './draw.ts'
import { type Gates, partCost } from './gates.ts'
import type { Hierarchy } from './hierarchy.ts'
import { StepLabels } from './labels.ts'
import { type Network, stepMs } from './network.ts'
import { nearby } from './passes.ts'
import type { PathFinder } from './shortest-path.ts'
import { type Fix, usableFixes } from './smooth-track.ts'
import type { Snap, StreetIndex } from './snap.ts'

/** Candidates are streets within three standard deviations, at least this many meters, and only the nearest. */
const leastRadius = 50
const mostPasses = 20
/** Standing cars seem to move back by up to three standard deviations of the difference of two positions. */
const mostBack = 3 * Math.SQRT2
/** A route this much longer than the straight line, in meters, is no way between two positions. */
const longestDetour = 2_000
/** Between positions at most this far apart, in meters, a lower limit keeps most of the hierarchy out of reach. */
const nearMetres = 150
const nearDetour = 1_000
/** Candidates this much less likely than the best, in natural logarithms, are not followed. */
const leastLikely = 12
/** After this many positions without a street nearby, the track has a gap. */
const mostSkipped = 2
/** The event loop handles other events after this many positions. */
const positionsAtOnce = 25

/** A street in one direction, where the car may have been. */
interface Candidate {
  snap: Snap
  step: number
  /** Meters from the start of the street in this direction. */
  driven: number
  score: number
  before: Candidate | null
  /** Of the route from `before`; null along the same street. */
  cost: Cost | null
}

/** What a match needs of the streets. */
export interface MatchStreets {
  network: Network
  index: StreetIndex
  gates: Gates
  hierarchy: Hierarchy
  finder: PathFinder
}

/**
 * Finds the streets that a car drove by a hidden Markov model (Newson and Krumm, 2009): a position is normally
 * distributed around its street, and the route between two positions is about as long as the straight line. Streets are
 * taken with their direction, so noise does not look like turning back. Private streets are not matched.
 */
export async function matchTrack(streets: MatchStreets, points: readonly GpsPoint[]): Promise<MatchedTrack> {
  const match = matching(streets, usableFixes(points))
  for (let handled = 1; ; handled++) {
    const step = match.next()
    if (step.done) return step.value
    if (handled % positionsAtOnce === 0) await setImmediate()
  }
}

const momentOf = ({ lat, lng, at }: Fix): GpsPoint => ({ lat, lng, at: at * 1000 })

/** Yields after each position, for others to use the event loop. */
function* matching(streets: MatchStreets, fixes: readonly Fix[]): Generator<void, MatchedTrack> {
  const result: MatchedTrack = { distanceKm: 0, line: [], unmatchedKm: 0, breaks: [], matchedShare: 0 }
  const { gates, hierarchy } = streets
  const labelsWithin = (metres: number) =>
    new StepLabels(
      hierarchy,
      metres,
      (step) => gates.after(step),
      (step) => gates.before(step),
    )
  const labels = { near: labelsWithin(nearMetres + nearDetour), far: labelsWithin(Number.POSITIVE_INFINITY) }
  let matched = 0
  let chain: Candidate[] = []
  let last: Fix | null = null
  let skipped = 0
  /** The distance since `last`, or since the first position. */
  let km = 0
  for (const [index, fix] of fixes.entries()) {
    yield
    km += index > 0 ? greatCircleKm(fixes[index - 1] as Fix, fix) : 0
    const candidates = candidatesOf(streets, fix)
    if (candidates.length === 0) {
      skipped++
      continue
    }
    matched++
    const next =
      last && skipped <= mostSkipped ? follow({ streets, labels }, chain, last, candidates, fix) : []
    if (next.length === 0) {
      result.unmatchedKm += km
      if (last && skipped === 0) result.breaks.push({ from: momentOf(last), to: momentOf(fix) })
      yield* append(result, streets, chain)
    }
    chain = next.length > 0 ? next : candidates
    last = fix
    skipped = 0
    km = 0
  }
  result.unmatchedKm += km
  yield* append(result, streets, chain)
  result.matchedShare = fixes.length === 0 ? 0 : matched / fixes.length
  return result
}

function candidatesOf({ network, index }: MatchStreets, fix: Fix): Candidate[] {
  const radius = Math.max(leastRadius, 3 * fix.sigma)
  return nearby(network, index, fix, radius, (edge) => network.edgeKinds[edge] === 0)
    .slice(0, mostPasses)
    .flatMap((snap) =>
      [snap.edge * 2, snap.edge * 2 + 1]
        .filter((step) => stepMs(network, step) > 0)
        .map((step) => ({
          snap,
          step,
          driven: step % 2 === 0 ? snap.along : snap.length - snap.along,
          score: -0.5 * (snap.away / fix.sigma) ** 2,
          before: null,
          cost: null,
        })),
    )
}

/** The candidates that can follow, each with its best predecessor. */
function follow(
  { streets, labels }: { streets: MatchStreets; labels: { near: StepLabels; far: StepLabels } },
  chain: readonly Candidate[],
  from: Fix,
  candidates: readonly Candidate[],
  to: Fix,
): Candidate[] {
  const straight = greatCircleKm(from, to) * 1000
  const [costs, longest] = straight <= nearMetres ? [labels.near, nearDetour] : [labels.far, longestDetour]
  const scale = Math.max(from.sigma, to.sigma)
  const top = chain.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY)
  const likely = chain.filter(({ score }) => score >= top - leastLikely)
  const ahead = likely.map((before) => exitCost(streets, before))
  return candidates.flatMap((candidate) => {
    const entry = entryCost(streets, candidate)
    let best: Candidate | null = null
    for (const [row, before] of likely.entries()) {
      const along = alongOneStreet(before, candidate, mostBack * scale)
      const cost =
        along === null ? (ahead[row] as Cost) + costs.between(before.step, candidate.step) + entry : null
      const detour = Math.abs((along ?? dmOf(cost as Cost) / 10) - straight)
      if (!(detour <= longest)) continue
      const score = before.score - detour / scale + candidate.score
      if (!best || score > best.score) best = { ...candidate, score, before, cost }
    }
    return best ? [best] : []
  })
}

/** Meters on the same street; noise may show a car up to `back` meters behind where it was, as a negative length. */
function alongOneStreet(from: Candidate, to: Candidate, back: number): number | null {
  const metres = to.driven - from.driven
  return from.step === to.step && metres >= -back ? metres : null
}

/** From the candidate to the end of its street. */
const exitCost = ({ network }: MatchStreets, { snap, step }: Candidate): Cost =>
  partCost(stepMs(network, step), snap, step % 2 === 0 ? snap.length : 0)

/** From the start of the candidate's street to the candidate. */
const entryCost = ({ network }: MatchStreets, { snap, step }: Candidate): Cost =>
  partCost(stepMs(network, step), snap, step % 2 === 0 ? 0 : snap.length)

/** Adds the length and the line of the most likely chain. */
function* append(
  result: MatchedTrack,
  { network, gates, finder }: MatchStreets,
  chain: readonly Candidate[],
): Generator<void, void> {
  const [last] = chain.toSorted((a, b) => b.score - a.score)
  if (!last) return
  const all: Candidate[] = []
  for (let at: Candidate | null = last; at; at = at.before) all.push(at)
  const line: LatLng[] = []
  let metres = 0
  for (const candidate of all.reverse()) {
    const { snap, step, before, cost } = candidate
    if (line.length === 0) line.push(toLatLng(snap.x, snap.y))
    if (!before) continue
    yield
    if (cost === null) {
      metres += candidate.driven - before.driven
      drawEdge(network, line, snap.edge, before.snap.along, snap.along)
      continue
    }
    metres += dmOf(cost) / 10
    drawEdge(
      network,
      line,
      before.snap.edge,
      before.snap.along,
      before.step % 2 === 0 ? before.snap.length : 0,
    )
    const exits = [{ state: gates.after(before.step), cost: 0 }]
    const entries = gates.before(step).map((state) => ({ state, cost: 0 }))
    // The cost is known, so the search can stop there: one millisecond more is above it.
    drawSteps(network, line, finder.path(exits, entries, cost + 1)?.steps ?? [])
    drawEdge(network, line, snap.edge, step % 2 === 0 ? 0 : snap.length, snap.along)
  }
  line.push(toLatLng(last.snap.x, last.snap.y))
  result.distanceKm += Math.max(0, metres) / 1000
  for (const point of line) appendPoint(result.line, point)
}
