import { pathDistanceM } from '../geo/path.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'

/** What is noticed during a trip without anyone reporting it. */
export const safetyChecks = ['stop', 'deviation', 'silence'] as const
export type SafetyCheck = (typeof safetyChecks)[number]

/** Limits of the checks, in metres and ms. */
export const safetyLimits = {
  /** A car that stayed within `stopM` of one place for `stopMs` stands. */
  stopMs: 180_000,
  stopM: 50,
  /** It may stand this near to the pickup, the drop and every planned stop. */
  plannedM: 200,
  deviationM: 500,
  deviationMs: 60_000,
  silenceMs: 120_000,
  /** Two positions further apart in time say nothing about the time between them. */
  gapMs: 60_000,
  /** Positions less accurate than this are ignored. */
  accuracyM: 150,
  /** How long both people have to answer before admins are alerted. */
  answerMs: 120_000,
  /** The same check of a trip asks again only after this time. */
  pauseMs: 900_000,
} as const

/** The recent track must reach back this far, ms. */
export const trackWindowMs = safetyLimits.stopMs + safetyLimits.gapMs

/** A recorded position; `accuracy` in m, null if unknown. */
export interface SafetyPoint extends LatLng {
  /** Epoch ms. */
  at: number
  accuracy: number | null
}

/** A started trip as the checks see it. Times are epoch ms. */
export interface WatchedTrip {
  startedAt: number
  /** Positions of the last `trackWindowMs`, oldest first. */
  track: readonly SafetyPoint[]
  /** The newest position since the start, even if older than the track. */
  heardAt: number | null
  /** Pickup, drop and planned stops. */
  places: readonly LatLng[]
  /** The planned route; null if there is none. */
  route: readonly LatLng[] | null
  /** When the route was planned, if that was after the start. */
  routeAt: number | null
}

/** The checks that a trip fails at `now`. `watchedSince`: since when the server could have received positions without a break. */
export function failedChecks(trip: WatchedTrip, now: number, watchedSince: number): SafetyCheck[] {
  const heardAt = Math.max(trip.heardAt ?? 0, trip.startedAt, watchedSince)
  if (now - heardAt >= safetyLimits.silenceMs) return ['silence']
  const track = trip.track.filter(
    ({ at, accuracy }) => at >= trip.startedAt && at <= now && (accuracy ?? 0) <= safetyLimits.accuracyM,
  )
  return safetyChecks.filter(
    (check) => (check === 'stop' && isStanding(track, trip)) || (check === 'deviation' && isOff(track, trip)),
  )
}

/** The end of the track that lasts at least `ms`, without a gap; empty if there is none. */
function lastPart(track: readonly SafetyPoint[], ms: number): readonly SafetyPoint[] {
  const newest = track.at(-1)
  if (!newest) return []
  let later = newest.at
  for (let index = track.length - 1; index >= 0; index--) {
    const { at } = track[index] as SafetyPoint
    if (later - at > safetyLimits.gapMs) return []
    if (newest.at - at >= ms) return track.slice(index)
    later = at
  }
  return []
}

/** True when all positions of the time are around one place. A car in a traffic jam moves away from it. */
function isStanding(track: readonly SafetyPoint[], { places }: Pick<WatchedTrip, 'places'>): boolean {
  const part = lastPart(track, safetyLimits.stopMs)
  if (part.length === 0) return false
  const centre = { lat: median(part.map(({ lat }) => lat)), lng: median(part.map(({ lng }) => lng)) }
  const isPlanned = places.some((place) => metresBetween(place, centre) <= safetyLimits.plannedM)
  return !isPlanned && part.every((point) => metresBetween(point, centre) <= safetyLimits.stopM)
}

/** True when all positions of the time are far from the route. */
function isOff(track: readonly SafetyPoint[], { route, routeAt }: WatchedTrip): boolean {
  if (route === null || route.length < 2) return false
  const part = lastPart(
    track.filter(({ at }) => at >= (routeAt ?? 0)),
    safetyLimits.deviationMs,
  )
  return part.length > 0 && part.every((point) => pathDistanceM(point, route) > safetyLimits.deviationM)
}

const metresBetween = (a: LatLng, b: LatLng) => greatCircleKm(a, b) * 1000

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
