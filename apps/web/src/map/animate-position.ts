import { bearingTo, pathKm, pointAlong } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Marker } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useReducedMotion } from '../lib/use-media.ts'
import { pathBetween } from './along-route.ts'

/** A car's drawn position and bearing, degrees clockwise from north. */
export interface Pose extends LatLng {
  bearing: number
}

/** One animated move along `path`, starting at `startedAt` for `durationMs` (local clock, ms). */
export interface PositionAnimation {
  path: LatLng[]
  km: number
  fromBearing: number
  /** Final bearing if the car hardly moved; null keeps the previous one. */
  toBearing: number | null
  startedAt: number
  durationMs: number
}

/** Shorter moves are noise; the car keeps its bearing. */
const stillKm = 0.003
/** Averaging the bearing over this distance in both directions rounds corners. */
const cornerKm = 0.006
/** Share of the move in which the car turns from its old bearing into the path. */
const turnShare = 0.35
const shortestMs = 200
const longestMs = 6000
/** Duration after a longer silence, so that the car catches up instead of lagging behind. */
const catchUpMs = 800

/**
 * A move from the drawn position to a new one. It lasts `sinceLastMs`, the interval between the last two positions, so
 * that it ends when the next one is due.
 */
export function animateTo(
  from: Pose,
  to: LatLng & { bearing?: number | null | undefined },
  path: LatLng[],
  startedAt: number,
  sinceLastMs: number,
): PositionAnimation {
  return {
    path,
    km: pathKm(path),
    fromBearing: from.bearing,
    toBearing: to.bearing ?? null,
    startedAt,
    durationMs: sinceLastMs > longestMs ? catchUpMs : Math.max(shortestMs, sinceLastMs),
  }
}

/** The pose at `now` (local clock, ms), clamped to the ends of the path. */
export function poseAt(glide: PositionAnimation, now: number): Pose {
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

/** True once the move has ended. */
export function isFinished(glide: PositionAnimation, now: number): boolean {
  return now >= glide.startedAt + glide.durationMs
}

/** Interpolates between two bearings by `share` (0 to 1), the shorter way around. */
export function mixBearing(from: number, to: number, share: number): number {
  const turn = ((((to - from) % 360) + 540) % 360) - 180
  return (((from + turn * share) % 360) + 360) % 360
}

/** A longer jump is a correction, not a drive. */
const farthestGlideKm = 1.5

/**
 * Animates a marker from position to position, rotating it along the path; with reduced motion it jumps. `position` is
 * compared by value. Set `turns` to false for upright icons.
 */
export function useAnimatedPosition(
  marker: Marker,
  position: LatLng & { bearing?: number | null | undefined },
  route: readonly LatLng[] = [],
  turns = true,
): void {
  const still = useReducedMotion()
  const pose = useRef<Pose | null>(null)
  const lastPositionAt = useRef(0)
  const { lat, lng, bearing } = position

  // A new route alone must not start an animation
  useEffect(() => {
    const now = performance.now()
    const sinceLast = now - lastPositionAt.current
    lastPositionAt.current = now
    const show = (next: Pose) => {
      pose.current = next
      marker.setLngLat([next.lng, next.lat])
      if (turns) marker.setRotation(next.bearing)
    }
    const from = pose.current
    const target = { lat, lng, bearing: bearing ?? from?.bearing ?? 0 }
    if (!from || still) return show(target)
    const path = pathBetween(from, target, route)
    const glide = animateTo(from, { lat, lng, bearing }, path, now, sinceLast)
    if (glide.km > farthestGlideKm) return show(target)
    let frame = requestAnimationFrame(function step(at) {
      show(poseAt(glide, at))
      if (!isFinished(glide, at)) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [marker, lat, lng, bearing, still, turns])
}
