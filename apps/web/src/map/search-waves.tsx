import type { LatLng } from '@hansom/domain/geo/point'
import { createPortal } from 'react-dom'
import classes from './map.module.css'
import { useMarker } from './use-marker.ts'

/** Animated rings around the pickup while drivers are being asked. */
export function SearchWaves({ center }: { center: LatLng }) {
  const { element } = useMarker(center, {})
  return createPortal(
    <span className={classes.waves} aria-hidden="true">
      <span />
      <span />
      <span />
    </span>,
    element,
  )
}
