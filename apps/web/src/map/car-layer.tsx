import type { LatLng } from '@hansom/domain/geo/point'
import { createPortal } from 'react-dom'
import { CarIcon } from './car-icon.tsx'
import classes from './map.module.css'
import { useAnimatedPosition } from './use-animated-position.ts'
import { useMarker } from './use-marker.ts'

/** The last known position of a car and how to present it. */
export interface TrackedCar extends LatLng {
  bearing?: number | null | undefined
  /** Label with the age of the position, set if it is too old to be trusted. */
  stale: string | null
}

/** A car that moves smoothly along the streets. An outdated position is gray and shows its age. */
export function CarLayer({ car, route }: { car: TrackedCar; route?: readonly LatLng[] }) {
  const { marker, element } = useMarker(car, {
    className: classes.carMarker ?? '',
    rotationAlignment: 'map',
    pitchAlignment: 'map',
    subpixelPositioning: true,
  })
  useAnimatedPosition(marker, car, route)
  return (
    <>
      {createPortal(
        <span className={classes.car} data-stale={car.stale !== null || undefined}>
          <CarIcon size={44} />
        </span>,
        element,
      )}
      {car.stale === null ? null : <CarAge car={car} text={car.stale} />}
    </>
  )
}

function CarAge({ car, text }: { car: LatLng; text: string }) {
  const { marker, element } = useMarker(car, { offset: [0, -34] })
  marker.setLngLat([car.lng, car.lat])
  return createPortal(
    <span className={classes.carAge} dir="auto">
      {text}
    </span>,
    element,
  )
}
