import { useReducedMotion } from '@mantine/hooks'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Marker } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { pathBetween } from './along-route.ts'
import { glideTo, isOver, type Pose, poseAt } from './glide.ts'

/** A leap longer than this is a correction, not a drive. */
const farthestGlideKm = 1.5

/**
 * Moves a marker from position to position along time, turning as it goes; with reduced motion it jumps.
 * `position` is compared by its values. What is no car seen from above stays upright: `turns` is false.
 */
export function useGlide(
  marker: Marker,
  position: LatLng & { bearing?: number | null },
  route: readonly LatLng[] = [],
  turns = true,
): void {
  const still = useReducedMotion()
  const pose = useRef<Pose | null>(null)
  const heardAt = useRef(0)
  const { lat, lng, bearing } = position

  // A new way must not start a glide of its own
  useEffect(() => {
    const now = performance.now()
    const sinceLast = now - heardAt.current
    heardAt.current = now
    const show = (next: Pose) => {
      pose.current = next
      marker.setLngLat([next.lng, next.lat])
      if (turns) marker.setRotation(next.bearing)
    }
    const from = pose.current
    const target = { lat, lng, bearing: bearing ?? from?.bearing ?? 0 }
    if (!from || still) return show(target)
    const path = pathBetween(from, target, route)
    const glide = glideTo(from, { lat, lng, bearing }, path, now, sinceLast)
    if (glide.km > farthestGlideKm) return show(target)
    let frame = requestAnimationFrame(function step(at) {
      show(poseAt(glide, at))
      if (!isOver(glide, at)) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [marker, lat, lng, bearing, still, turns])
}
