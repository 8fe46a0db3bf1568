import { bearingTo, pathKm, pointAlong } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'

/** Where a car is drawn: its place and the way it faces, degrees clockwise from north. */
export interface Pose extends LatLng {
  bearing: number
}

/** One glide of a car: along `path`, from `startedAt` on for `durationMs` (local clock, ms). */
export interface Glide {
  path: LatLng[]
  km: number
  fromBearing: number
  /** The bearing to end with when the car hardly moved; null keeps the one it had. */
  toBearing: number | null
  startedAt: number
  durationMs: number
}

/** Below this a position is noise and the car keeps facing the way it did. */
const stillKm = 0.003
/** Looking this far back and ahead along the path rounds a corner off. */
const cornerKm = 0.006
/** The share of a glide in which the car turns from its old bearing into the path. */
const turnShare = 0.35
const shortestMs = 200
const longestMs = 6000
/** After a longer silence the car catches up briskly instead of crawling behind. */
const catchUpMs = 800

/**
 * A glide from where the car is drawn now to its new position. `sinceLastMs` is the time between the last two
 * positions: the car takes as long, so that it arrives when the next one is due.
 */
export function glideTo(
  from: Pose,
  to: LatLng & { bearing?: number | null },
  path: LatLng[],
  startedAt: number,
  sinceLastMs: number,
): Glide {
  return {
    path,
    km: pathKm(path),
    fromBearing: from.bearing,
    toBearing: to.bearing ?? null,
    startedAt,
    durationMs: sinceLastMs > longestMs ? catchUpMs : Math.max(shortestMs, sinceLastMs),
  }
}

/** The pose at `now` (local clock, ms); before the start it is the first of the path, after the end the last. */
export function poseAt(glide: Glide, now: number): Pose {
  const share = Math.min(1, Math.max(0, (now - glide.startedAt) / glide.durationMs))
  const turn = Math.min(1, share / turnShare)
  const km = glide.km * share
  const { lat, lng } = pointAlong(glide.path, km)
  if (glide.km < stillKm) {
    return { lat, lng, bearing: mixBearing(glide.fromBearing, glide.toBearing ?? glide.fromBearing, turn) }
  }
  const back = pointAlong(glide.path, km - cornerKm)
  const ahead = pointAlong(glide.path, km + cornerKm)
  return { lat, lng, bearing: mixBearing(glide.fromBearing, bearingTo(back, ahead), turn) }
}

/** True once nothing moves any more. */
export function isOver(glide: Glide, now: number): boolean {
  return now >= glide.startedAt + glide.durationMs
}

/** Turns from one bearing to another by `share` (0 to 1), the shorter way round. */
export function mixBearing(from: number, to: number, share: number): number {
  const turn = ((((to - from) % 360) + 540) % 360) - 180
  return (((from + turn * share) % 360) + 360) % 360
}
