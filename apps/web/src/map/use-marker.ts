import type { LatLng } from '@hansom/domain/geo/point'
import type { MarkerOptions } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { MapMarker, useMap } from './map-renderer.ts'

/**
 * A map marker whose position is set outside of React (every frame if needed). Its content is rendered into `element`
 * through a portal. `options` and `start` apply only on creation.
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
