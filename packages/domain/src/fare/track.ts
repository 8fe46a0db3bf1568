import { greatCircleKm, type LatLng } from '../geo/point.ts'

/** One position of a trip. Only STARTED and REACHED count for the distance. */
export interface TrackPoint extends LatLng {
  /** Epoch ms. */
  at: number
  status: string
}

/** Two neighbouring points between which the way driven is not known. */
export interface TrackGap {
  from: TrackPoint
  to: TrackPoint
}

/** A track after its first pass: what was seen, and the gaps for which a routed distance is needed. */
export interface TrackPlan {
  points: TrackPoint[]
  /** km between neighbours that are close enough. */
  seenKm: number
  gaps: TrackGap[]
}

export interface TrackLength {
  distance: number
  /** How much of `distance` was filled where the track had gaps. */
  distance_filled: number
}

export const gapSeconds = 60
export const gapKm = 0.5
/** Without a sign of life but within this distance the car stood still: no detour is made up. */
export const standstillKm = 0.03
export const topSpeedKmh = 200

const countedStatuses = ['STARTED', 'REACHED']

/** First pass: orders the counted points, drops impossible jumps, adds up what was seen, names the gaps. */
export function planTrack(points: readonly TrackPoint[]): TrackPlan {
  const kept = withoutJumps(
    points.filter((point) => countedStatuses.includes(point.status)).sort((a, b) => a.at - b.at),
  )
  const gaps: TrackGap[] = []
  let seenKm = 0
  for (let index = 1; index < kept.length; index++) {
    const from = kept[index - 1] as TrackPoint
    const to = kept[index] as TrackPoint
    if (isGap(from, to)) gaps.push({ from, to })
    else seenKm += greatCircleKm(from, to)
  }
  return { points: kept, seenKm, gaps }
}

/** A trip of a day has fewer: more gaps than these were made to keep the maps busy. */
export const mostRoutedGaps = 300

/** The gaps for which a route is worth its cost, in their order: the longest ones; null stands for the others. */
export function gapsToRoute({ gaps }: TrackPlan): (TrackGap | null)[] {
  if (gaps.length <= mostRoutedGaps) return gaps
  const lengths = gaps.map((gap) => greatCircleKm(gap.from, gap.to))
  const byLength = gaps.map((_, index) => index).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0))
  const longest = new Set(byLength.slice(0, mostRoutedGaps))
  return gaps.map((gap, index) => (longest.has(index) ? gap : null))
}

/**
 * Second pass: `routedKm` has one distance for each gap of the plan, in order. Where it is null, or could not be
 * driven in the time, the straight line counts.
 */
export function finishTrack(plan: TrackPlan, routedKm: readonly (number | null)[]): TrackLength {
  let distance_filled = 0
  plan.gaps.forEach((gap, index) => {
    const routed = routedKm[index] ?? null
    distance_filled += isPossible(gap, routed) ? routed : greatCircleKm(gap.from, gap.to)
  })
  return { distance: plan.seenKm + distance_filled, distance_filled }
}

/** Both passes at once. `fillKm` gives the routed distance of a gap in km, or null when there is none. */
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

/** At most `most` items of a list, evenly spread, the first and the last among them. */
export function thin<T>(items: readonly T[], most = 25): T[] {
  if (items.length <= most) return [...items]
  const step = (items.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as T)
}

function isGap(from: TrackPoint, to: TrackPoint): boolean {
  const km = greatCircleKm(from, to)
  if (km > gapKm) return true
  return to.at - from.at > gapSeconds * 1000 && km > standstillKm
}

function isPossible(gap: TrackGap, km: number | null): km is number {
  return km !== null && km >= 0 && km <= (topSpeedKmh * (gap.to.at - gap.from.at)) / 3_600_000
}

function isJump(from: TrackPoint, to: TrackPoint): boolean {
  return greatCircleKm(from, to) > (topSpeedKmh * (to.at - from.at)) / 3_600_000
}

function withoutJumps(points: readonly TrackPoint[]): TrackPoint[] {
  // A wrong first fix would make every true point after it look like a jump: two that agree outvote it.
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
