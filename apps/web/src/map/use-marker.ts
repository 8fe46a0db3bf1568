import type { LatLng } from '@hansom/domain/geo/point'
import type { MarkerOptions } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { MapMarker, useMap } from './map-renderer.ts'

/**
 * A marker on the map whose place is set from outside of React (every frame, if need be). Its content is rendered
 * into `element` through a portal. `options` and `start` count only once.
 */
export function useMarker(start: LatLng, options: MarkerOptions) {
  const { current: map } = useMap()
  const [{ marker, element }] = useState(() => {
    const host = document.createElement('div')
    return {
      element: host,
      marker: new MapMarker({ ...options, element: host }).setLngLat([start.lng, start.lat]),
    }
  })
  useEffect(() => {
    if (!map) return
    marker.addTo(map.getMap())
    return () => {
      marker.remove()
    }
  }, [map, marker])
  return { marker, element, map }
}
