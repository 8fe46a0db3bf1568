import type { LatLng } from '@hansom/domain/geo/point'
import { useEffect, useRef } from 'react'
import { useReducedMotion } from '../lib/use-media.ts'
import { boundsAround, type CameraPadding, fittingPadding, needsFit } from './camera.ts'
import { useMap } from './map-renderer.ts'

const closest = 16.2

/**
 * Keeps points in view while `following`: frames them initially and when `fitKey` changes, afterwards only when one
 * leaves the free area of the map or they get close together.
 */
export function FitCamera({
  points,
  fitKey,
  padding,
  following,
}: {
  points: LatLng[]
  fitKey: string
  padding: CameraPadding
  following: boolean
}) {
  const { current: map } = useMap()
  const still = useReducedMotion()
  const framed = useRef<string | null>(null)
  const paddingKey = Object.values(padding).join()
  const pointsKey = following
    ? points.map(({ lat, lng }) => `${lat.toFixed(5)},${lng.toFixed(5)}`).join(' ')
    : ''

  // Points and padding are compared by value
  useEffect(() => {
    if (!map || !following) {
      framed.current = null
      return
    }
    const bounds = boundsAround(points)
    if (!bounds) return
    const key = `${fitKey} ${paddingKey}`
    const look = () => {
      const { clientWidth, clientHeight } = map.getContainer()
      const room = fittingPadding(padding, clientWidth, clientHeight)
      const first = framed.current === null
      if (framed.current === key) {
        const drawn = points.map(({ lat, lng }) => map.project([lng, lat]))
        const near = map.getZoom() >= closest - 0.3
        if (!needsFit(drawn, clientWidth, clientHeight, room, !near)) return
      }
      framed.current = key
      map.fitBounds(bounds, { padding: room, maxZoom: closest, duration: still || first ? 0 : 900 })
    }
    if (framed.current !== key || !map.isMoving()) look()
    // A stationary car sends no further update, so check once the camera has stopped.
    else map.once('moveend', look)
    // Rotating a phone changes the visible area.
    map.on('resize', look)
    return () => {
      map.off('moveend', look)
      map.off('resize', look)
    }
  }, [map, pointsKey, fitKey, paddingKey, following, still])
  return null
}
