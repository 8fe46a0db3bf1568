import { deviationOf } from '../geo/accuracy.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'

/** One position of a trip. Only STARTED and REACHED count towards the distance. */
export interface TrackPoint extends LatLng {
  /** Epoch ms. */
  at: number
  status: string
  /** Radius reported by the device, m; see `deviationOf`. Null if unknown. */
  accuracy?: number | null
}

/** Two consecutive points between which the driven route is unknown. */
export interface TrackGap {
  from: Moment
  to: Moment
}

type Moment = Pick<TrackPoint, 'lat' | 'lng' | 'at'>

/** The result of the first pass: the recorded distance, and the gaps that need a routed distance. */
export interface TrackPlan {
  points: TrackPoint[]
  /** Distance in km between the points outside the gaps, without noise. */
  seenKm: number
  gaps: TrackGap[]
}

/** Distances in km. */
export interface TrackLength {
  distance: number
  /** The part of `distance` that was filled in for gaps. */
  distance_filled: number
  /** `matched`: along the streets that the positions fit; `track`: between the positions; `estimate`: no track. */
  distance_source: DistanceSource
  /** The part of a matched distance on no street. */
  distance_unmatched: number
}

export const distanceSources = ['matched', 'track', 'estimate'] as const
export type DistanceSource = (typeof distanceSources)[number]

export const gapSeconds = 60
export const gapKm = 0.5
/** A gap in time with less movement than this is a standstill: no detour is added. */
export const standstillKm = 0.03
export const topSpeedKmh = 200

const countedStatuses = ['STARTED', 'REACHED']

/** First pass: sorts the counted points, drops impossible jumps, adds up the recorded distance, finds the gaps. */
export function planTrack(points: readonly TrackPoint[]): TrackPlan {
  const kept = withoutJumps(
    points.filter((point) => countedStatuses.includes(point.status)).sort((a, b) => a.at - b.at),
  )
  const gaps: TrackGap[] = []
  let seenKm = 0
  let stretchStart = 0
  kept.forEach((to, index) => {
    const from = kept[index - 1]
    if (!from || !isGap(from, to)) return
    gaps.push({ from, to })
    seenKm += movedKm(kept.slice(stretchStart, index))
    stretchStart = index
  })
  seenKm += movedKm(kept.slice(stretchStart))
  return { points: kept, seenKm, gaps }
}

/**
 * The distance in km up to which noise explains that two positions differ: five standard deviations, more in 0.2 % of cases
 * (distribution of Rayleigh).
 */
function noiseKm(from: TrackPoint, to: TrackPoint): number {
  return 0.005 * Math.max(deviationOf(from.accuracy), deviationOf(to.accuracy))
}

/** The distance in km along points. The last one counts, others only if they are beyond the noise of the one before. */
function movedKm(points: readonly TrackPoint[]): number {
  let km = 0
  let from = points[0] as TrackPoint
  for (const to of points) {
    const moved = greatCircleKm(from, to)
    if (moved < noiseKm(from, to) && to !== points.at(-1)) continue
    km += moved
    from = to
  }
  return km
}

/** More than a day's trip can have: tracks with more gaps are made up to overload the routing. */
export const maxRoutedGaps = 300

/** The gaps to route, in order: the longest ones; null for the others. */
export function gapsToRoute({ gaps }: Pick<TrackPlan, 'gaps'>): (TrackGap | null)[] {
  if (gaps.length <= maxRoutedGaps) return gaps
  const lengths = gaps.map((gap) => greatCircleKm(gap.from, gap.to))
  const byLength = gaps.map((_, index) => index).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0))
  const longest = new Set(byLength.slice(0, maxRoutedGaps))
  return gaps.map((gap, index) => (longest.has(index) ? gap : null))
}

/**
 * Second pass: `routedKm` has one distance for each gap of the plan, in order. Where it is null, or too far to drive in
 * the time, the straight line counts.
 */
export function finishTrack(plan: TrackPlan, routedKm: readonly (number | null)[]): TrackLength {
  let distance_filled = 0
  plan.gaps.forEach((gap, index) => {
    const routed = routedKm[index] ?? null
    distance_filled += isPossible(gap, routed) ? routed : greatCircleKm(gap.from, gap.to)
  })
  const distance = plan.seenKm + distance_filled
  return { distance, distance_filled, distance_source: 'track', distance_unmatched: 0 }
}

/** Fewer positions near streets than this share, or more of the distance off them, and the match says too little. */
const leastMatched = 0.8
const mostUnmatched = 0.2
/**
 * A match outside these multiples of the track followed the wrong streets; the km allow for short trips. Inaccurate
 * positions make a track shorter than the drive in hairpin bends, and longer if the accuracy is not known.
 */
const mostLonger = 1.5
const leastShare = 0.5
const allowanceKm = 0.1

/**
 * The streets that a track fits: their length in km, the km on no street, and the share of positions near one. `breaks`
 * are consecutive positions that no likely route connects: the straight line between them is part of `unmatchedKm`.
 */
export interface MatchedLength {
  distanceKm: number
  unmatchedKm: number
  matchedShare: number
  breaks: readonly TrackGap[]
}

/** The breaks that are gaps in the track: their routes are needed, in order. */
export function breaksToRoute({ breaks }: MatchedLength): (TrackGap | null)[] {
  return gapsToRoute({ gaps: breaks.filter(({ from, to }) => isGap(from, to)) })
}

/** The match with the routed km of those breaks; where one is null or impossible, the straight line remains. */
export function withRoutedBreaks(
  matched: MatchedLength,
  routedKm: readonly (number | null)[],
): MatchedLength {
  const added = breaksToRoute(matched).map((gap, index) => {
    const routed = routedKm[index] ?? null
    return gap && isPossible(gap, routed) ? routed - greatCircleKm(gap.from, gap.to) : 0
  })
  return { ...matched, unmatchedKm: added.reduce((sum, km) => sum + km, matched.unmatchedKm) }
}

/** The distance along the matched streets, or the measured track where the match is not reliable. */
export function matchedLength(track: TrackLength, matched: MatchedLength): TrackLength {
  const { distanceKm, unmatchedKm, matchedShare } = matched
  const distance = distanceKm + unmatchedKm
  const isReliable =
    matchedShare >= leastMatched &&
    unmatchedKm <= mostUnmatched * distance &&
    distance <= mostLonger * track.distance + allowanceKm &&
    distance >= leastShare * track.distance - allowanceKm
  if (!isReliable) return track
  return {
    distance,
    distance_filled: Math.min(track.distance_filled, distance),
    distance_source: 'matched',
    distance_unmatched: unmatchedKm,
  }
}

/** Both passes. `fillKm` returns the routed distance of a gap in km, or null if no route exists. */
export function measureTrack(
  points: readonly TrackPoint[],
  fillKm: (from: LatLng, to: LatLng) => number | null,
): TrackLength {
  const plan = planTrack(points)
  return finishTrack(
    plan,
    plan.gaps.map((gap) => fillKm(gap.from, gap.to)),
  )
}

/** At most `most` items of a list, evenly spaced, including the first and the last. */
export function thin<T>(items: readonly T[], most = 25): T[] {
  if (items.length <= most) return [...items]
  const step = (items.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as T)
}

function isGap(from: Moment, to: Moment): boolean {
  const km = greatCircleKm(from, to)
  if (km > gapKm) return true
  return to.at - from.at > gapSeconds * 1000 && km > standstillKm
}

function isPossible(gap: TrackGap, km: number | null): km is number {
  return km !== null && km >= 0 && km <= (topSpeedKmh * (gap.to.at - gap.from.at)) / 3_600_000
}

function isJump(from: TrackPoint, to: TrackPoint): boolean {
  return greatCircleKm(from, to) > (topSpeedKmh * (to.at - from.at)) / 3_600_000 + noiseKm(from, to)
}

function withoutJumps(points: readonly TrackPoint[]): TrackPoint[] {
  // A wrong first fix would make every correct point after it look like a jump: the next two outvote it if they agree.
  const [first, second, third] = points
  const wrongStart =
    first && second && third && isJump(first, second) && isJump(first, third) && !isJump(second, third)
  const kept: TrackPoint[] = []
  for (const point of wrongStart ? points.slice(1) : points) {
    const last = kept.at(-1)
    if (!last || !isJump(last, point)) kept.push(point)
  }
  return kept
}
