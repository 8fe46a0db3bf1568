import type { LatLng } from '@hansom/domain/geo/point'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { Cluster } from './cluster.ts'
import classes from './fleet-map.module.css'
import { useMarker } from './use-marker.ts'

/** Marker with the size of a cluster; a click zooms in. */
export function ClusterMarker<P extends LatLng>({ heap, label }: { heap: Cluster<P>; label: string }) {
  const { marker, element, map } = useMarker(heap, {})
  const count = heap.members.length
  useEffect(() => {
    marker.setLngLat([heap.lng, heap.lat])
  }, [marker, heap.lat, heap.lng])
  return createPortal(
    // Keyboard users have the list next to the map instead.
    <button
      type="button"
      tabIndex={-1}
      className={classes.heap}
      style={{ '--heap': `${Math.min(64, 34 + Math.log10(count) * 12)}px` } as React.CSSProperties}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation()
        if (!map) return
        const zoom = Math.min(map.getZoom() + 2, 16)
        map.flyTo({ center: [heap.lng, heap.lat], zoom, duration: 600 }, { originalEvent: 'open' })
      }}
    >
      {count}
    </button>,
    element,
  )
}
