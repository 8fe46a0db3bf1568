import { topSpeedKmh } from '@hansom/domain/fare/track'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Position } from '@hansom/contract/tracking'

/** Less accurate than this, m, a position says too little about where a car is. */
export const worstAccuracyM = 150
/** How far a phone's clock may be ahead, ms. */
export const clockToleranceMs = 10_000
/** Jumps shorter than this are the usual scatter of a receiver, km. */
const scatterKm = 0.1

/** What is known of where a driver was before. */
export interface LastSeen extends LatLng {
  at: number
}

/** A driver's last accepted position, and one refused as a jump that a second one may confirm. */
export interface Trail {
  last: LastSeen | null
  doubted: LastSeen | null
}

/**
 * Sorts out which of some positions, oldest first, can be believed at `now`: not from the future, accurate enough,
 * and reachable from the last one below 200 km/h. A jump is doubted; a second position that agrees with it proves it.
 * Positions older than the last are kept as they are: a phone replays what it could not send.
 */
export function believable(
  trail: Trail,
  positions: readonly Position[],
  now: number,
): { kept: Position[]; trail: Trail } {
  let { last, doubted } = trail
  const kept: Position[] = []
  for (const position of positions) {
    const { lat, lng, at, accuracy } = position
    if (at > now + clockToleranceMs || (accuracy ?? 0) > worstAccuracyM) continue
    if (last && at <= last.at) {
      kept.push(position)
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

function isJump(from: LastSeen, to: LastSeen): boolean {
  const km = greatCircleKm(from, to)
  return km > scatterKm && km > (topSpeedKmh * Math.max(0, to.at - from.at)) / 3_600_000
}
