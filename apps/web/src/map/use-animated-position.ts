import type { LatLng } from '@hansom/domain/geo/point'
import type { Marker } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useReducedMotion } from '../lib/use-media.ts'
import { pathBetween } from './along-route.ts'
import { animateTo, isFinished, type Pose, poseAt } from './animate-position.ts'

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
