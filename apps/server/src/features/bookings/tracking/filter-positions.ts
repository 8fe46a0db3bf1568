import type { Position } from '@hansom/contract/tracking'
import { topSpeedKmh } from '@hansom/domain/fare/track'
import { isAccurate } from '@hansom/domain/geo/accuracy'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'

/** How far a phone's clock may be ahead, ms. */
export const clockToleranceMs = 10_000
/** Jumps shorter than this are normal receiver scatter, km. */
const scatterKm = 0.1

/** A driver's previous position. */
export interface LastSeen extends LatLng {
  at: number
}

/** A driver's last accepted position, and one rejected as a jump that a second one may confirm. */
export interface Trail {
  last: LastSeen | null
  doubted: LastSeen | null
}

/** True for a time that only a wrong clock, or a clock before it was set back, can produce. */
export function isAhead(at: number, now: number): boolean {
  return at > now + clockToleranceMs
}

/**
 * Shifts positions to the server's clock: when the newest is ahead of `now`, the device's clock is wrong, and all are
 * shifted by the same amount. Expects the oldest first.
 */
export function shiftToServerClock(positions: readonly Position[], now: number): readonly Position[] {
  const newest = positions.at(-1)
  if (!newest || !isAhead(newest.at, now)) return positions
  return positions.map((position) => ({ ...position, at: position.at - (newest.at - now) }))
}

/**
 * Filters positions, oldest first, for plausibility at `now`: accurate enough and reachable from the last one below 200
 * km/h. A jump is rejected until a second position confirms it. A position older than the last is kept if the last is
 * reachable from it: a phone replays what it could not send.
 */
export function filterPositions(
  trail: Trail,
  positions: readonly Position[],
  now: number,
): { kept: Position[]; trail: Trail } {
  let { last, doubted } = trail
  // The clock was set back since: the elapsed time is unknown.
  if (last && isAhead(last.at, now)) last = null
  const kept: Position[] = []
  for (const position of shiftToServerClock(positions, now)) {
    const { lat, lng, at, accuracy } = position
    if (!isAccurate(accuracy)) continue
    if (last && at <= last.at) {
      if (!isJump({ lat, lng, at }, last)) kept.push(position)
      continue
    }
    if (last && isJump(last, position) && !(doubted && !isJump(doubted, position))) {
      doubted = { lat, lng, at }
      continue
    }
    kept.push(position)
    last = { lat, lng, at }
    doubted = null
  }
  return { kept, trail: { last, doubted } }
}

function isJump(from: LastSeen, to: LatLng & { at: number }): boolean {
  const km = greatCircleKm(from, to)
  return km > scatterKm && km > (topSpeedKmh * Math.max(0, to.at - from.at)) / 3_600_000
}
