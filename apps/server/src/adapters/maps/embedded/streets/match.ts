import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { GpsPoint, MatchedTrack } from '../../port.ts'
import { toLatLng } from '../world.ts'
import { type Cost, dmOf } from './cost.ts'
import { appendPoint, drawEdge, drawStep } from './draw.ts'
import { type Gates, partCost } from './gates.ts'
import type { Matrix } from './matrix.ts'
import { type Network, stepMs } from './network.ts'
import type { PathFinder, Seed } from './shortest-path.ts'
import { type Fix, smoothTrack } from './smooth-track.ts'
import { nearby, type Snap, type StreetIndex } from './snap.ts'

/** Standard deviation of positions in meters, if the accuracy is not reported, and at least. */
const usualSigma = 15
const leastSigma = 5
/** A less accurate position says too little. */
const worstAccuracy = 100
/** Candidates are streets within three standard deviations, at least this many meters, and only the nearest. */
const leastRadius = 50
const mostEdges = 10
/** No car is faster, in m/s: a position that requires it is wrong. */
const fastest = 70
/** A route this much longer than the straight line, in meters, is no way between two positions. */
const longestDetour = 2_000
/** Candidates this much less likely than the best, in natural logarithms, are not followed. */
const leastLikely = 12
/** After this many positions without a street nearby, the track has a gap. */
const mostSkipped = 2

/** A street in one direction, where the car may have been. */
interface Candidate {
  snap: Snap
  step: number
  /** Meters from the start of the street in this direction. */
  driven: number
  score: number
  before: Candidate | null
}

/** What a match needs of the streets. */
export interface MatchStreets {
  network: Network
  index: StreetIndex
  gates: Gates
  matrix: Matrix
  finder: PathFinder
}

/**
 * Finds the streets that a car drove by a hidden Markov model (Newson and Krumm, 2009): a position is normally
 * distributed around its street, and the route between two positions is about as long as the straight line. Streets are
 * taken with their direction, so noise does not look like turning back. Private streets are not matched.
 */
export function matchTrack(streets: MatchStreets, points: readonly GpsPoint[]): MatchedTrack {
  const fixes = usableFixes(points)
  const result: MatchedTrack = { distanceKm: 0, line: [], unmatchedKm: 0, matchedShare: 0 }
  let matched = 0
  let chain: Candidate[] = []
  let last: Fix | null = null
  let skipped = 0
  const finish = () => {
    const best = chain.reduce<Candidate | null>(
      (one, other) => (one && one.score >= other.score ? one : other),
      null,
    )
    if (best) append(result, driven(streets, best))
  }
  for (const fix of fixes) {
    const candidates = candidatesOf(streets, fix)
    if (candidates.length === 0) {
      skipped++
      continue
    }
    matched++
    const next = last && skipped <= mostSkipped ? follow(streets, chain, last, candidates, fix) : []
    if (next.length > 0) chain = next
    else {
      if (last) result.unmatchedKm += greatCircleKm(last, fix)
      finish()
      chain = candidates
    }
    last = fix
    skipped = 0
  }
  finish()
  const [first, end] = [fixes[0], fixes.at(-1)]
  if (first && end && last && skipped > 0) result.unmatchedKm += greatCircleKm(last, end)
  if (first && end && !last) result.unmatchedKm = lengthKm(fixes)
  result.matchedShare = fixes.length === 0 ? 0 : matched / fixes.length
  return result
}

/** In order of time, accurate enough and not faster than any car; smoothed and two standard deviations apart. */
function usableFixes(points: readonly GpsPoint[]): Fix[] {
  const measured: Fix[] = []
  for (const { lat, lng, at, accuracy = usualSigma } of points.toSorted((a, b) => a.at - b.at)) {
    if (!(Math.abs(lat) <= 85 && Math.abs(lng) <= 180 && accuracy <= worstAccuracy)) continue
    const fix = { lat, lng, at: at / 1000, sigma: Math.max(leastSigma, accuracy) }
    const last = measured.at(-1)
    const seconds = last ? fix.at - last.at : 1
    const metres = last ? greatCircleKm(last, fix) * 1000 : 0
    if (seconds > 0 && metres <= fastest * seconds + 3 * fix.sigma) measured.push(fix)
  }
  const smooth = smoothTrack(measured)
  const kept: Fix[] = []
  for (const [index, fix] of smooth.entries()) {
    const last = kept.at(-1)
    const isApart = !last || greatCircleKm(last, fix) * 1000 >= 2 * Math.max(leastSigma, fix.sigma)
    if (!isApart && index < smooth.length - 1) continue
    if (!isApart && kept.length > 1) kept.pop()
    kept.push({ ...fix, sigma: Math.max(leastSigma, fix.sigma) })
  }
  return kept
}

function candidatesOf({ network, index }: MatchStreets, fix: Fix): Candidate[] {
  const radius = Math.max(leastRadius, 3 * fix.sigma)
  return nearby(network, index, fix, radius, (edge) => network.edgeKinds[edge] === 0)
    .toSorted((a, b) => a.away - b.away)
    .slice(0, mostEdges)
    .flatMap((snap) =>
      [snap.edge * 2, snap.edge * 2 + 1]
        .filter((step) => stepMs(network, step) > 0)
        .map((step) => ({
          snap,
          step,
          driven: step % 2 === 0 ? snap.along : snap.length - snap.along,
          score: -0.5 * (snap.away / fix.sigma) ** 2,
          before: null,
        })),
    )
}

/** The candidates that can follow, each with its best predecessor. */
function follow(
  streets: MatchStreets,
  chain: readonly Candidate[],
  from: Fix,
  candidates: readonly Candidate[],
  to: Fix,
): Candidate[] {
  const straight = greatCircleKm(from, to) * 1000
  const scale = Math.max(from.sigma, to.sigma)
  const top = chain.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY)
  const likely = chain.filter(({ score }) => score >= top - leastLikely)
  const costs = streets.matrix.table(
    likely.map((candidate) => exits(streets, candidate)),
    candidates.map((candidate) => entries(streets, candidate)),
  )
  return candidates.flatMap((candidate, column) => {
    let best: Candidate | null = null
    likely.forEach((before, row) => {
      const metres =
        alongOneStreet(before, candidate, 2 * scale) ?? dmOf((costs[row] as Cost[])[column] as Cost) / 10
      const detour = Math.abs(metres - straight)
      if (!(detour <= longestDetour)) return
      const score = before.score - detour / scale + candidate.score
      if (!best || score > best.score) best = { ...candidate, score, before }
    })
    return best ? [best] : []
  })
}

/** Meters on the same street; noise may show a car up to `back` meters behind where it was, as a negative length. */
function alongOneStreet(from: Candidate, to: Candidate, back: number): number | null {
  const metres = to.driven - from.driven
  return from.step === to.step && metres >= -back ? metres : null
}

function exits({ network, gates }: MatchStreets, { snap, step }: Candidate): Seed[] {
  const cost = partCost(stepMs(network, step), snap, step % 2 === 0 ? snap.length : 0)
  return [{ state: gates.after(step), cost }]
}

function entries({ network, gates }: MatchStreets, { snap, step }: Candidate): Seed[] {
  const cost = partCost(stepMs(network, step), snap, step % 2 === 0 ? 0 : snap.length)
  return gates.before(step).map((state) => ({ state, cost }))
}

/** The length and the line of the best candidates, one after another. */
function driven(streets: MatchStreets, last: Candidate): { metres: number; line: LatLng[] } {
  const all: Candidate[] = []
  for (let at: Candidate | null = last; at; at = at.before) all.unshift(at)
  const { network, finder } = streets
  const line: LatLng[] = []
  let metres = 0
  let before: Candidate | null = null
  for (const candidate of all) {
    if (before) {
      const along = alongOneStreet(before, candidate, worstAccuracy)
      const path = along === null ? finder.path(exits(streets, before), entries(streets, candidate)) : null
      metres += along ?? (path ? dmOf(path.cost) / 10 : 0)
      const { snap, step } = candidate
      if (path) {
        const end = before.step % 2 === 0 ? before.snap.length : 0
        drawEdge(network, line, before.snap.edge, before.snap.along, end)
        for (const driven of path.steps) drawStep(network, line, driven)
        drawEdge(network, line, snap.edge, step % 2 === 0 ? 0 : snap.length, snap.along)
      } else drawEdge(network, line, snap.edge, before.snap.along, snap.along)
    }
    before = candidate
    if (line.length === 0) line.push(toLatLng(candidate.snap.x, candidate.snap.y))
  }
  line.push(toLatLng(last.snap.x, last.snap.y))
  return { metres, line }
}

function append(result: MatchedTrack, { metres, line }: { metres: number; line: LatLng[] }): void {
  result.distanceKm += Math.max(0, metres) / 1000
  for (const point of line) appendPoint(result.line, point)
}

const lengthKm = (points: readonly LatLng[]) =>
  points.slice(1).reduce((sum, point, at) => sum + greatCircleKm(points[at] as LatLng, point), 0)
