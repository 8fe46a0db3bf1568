import { useMap } from '@vis.gl/react-maplibre'
import { Marker, type MarkerOptions, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'
import type { LatLng } from '@hansom/domain/geo/point'
import { useEffect, useState } from 'react'

// Without this, a production build looks for the worker next to the bundle and draws nothing, without an error.
setWorkerUrl(workerUrl)

export { Layer, Map as MapLibreMap, Source, useMap } from '@vis.gl/react-maplibre'

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
      marker: new Marker({ ...options, element: host }).setLngLat([start.lng, start.lat]),
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

/**
 * Margin around the visible area, as a share of its size, in which cars are drawn too because they may move into view.
 */
const marginShare = 0.2

export interface MapView {
  zoom: number
  west: number
  east: number
  south: number
  north: number
}

/** The visible area plus a margin, updated when the map stops moving. */
export function useMapView(): MapView | null {
  const { current: map } = useMap()
  const [view, setView] = useState<MapView | null>(null)
  useEffect(() => {
    if (!map) return
    const look = () => {
      const bounds = map.getBounds()
      const [across, down] = [
        (bounds.getEast() - bounds.getWest()) * marginShare,
        (bounds.getNorth() - bounds.getSouth()) * marginShare,
      ]
      setView({
        zoom: map.getZoom(),
        west: bounds.getWest() - across,
        east: bounds.getEast() + across,
        south: bounds.getSouth() - down,
        north: bounds.getNorth() + down,
      })
    }
    look()
    map.on('moveend', look)
    return () => {
      map.off('moveend', look)
    }
  }, [map])
  return view
}
