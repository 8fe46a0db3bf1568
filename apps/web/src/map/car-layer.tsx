import type { LatLng } from '@hansom/domain/geo/point'
import { createPortal } from 'react-dom'
import { CarIcon } from './car-icon.tsx'
import classes from './map.module.css'
import { useGlide } from './use-glide.ts'
import { useMarker } from './use-marker.ts'

/** Where one car was last seen, and how it may be spoken of. */
export interface TrackedCar extends LatLng {
  bearing?: number | null
  /** Set when the position is too old to be trusted: the words that say when it was seen. */
  stale: string | null
}

/** One car that glides along the streets and turns with them. An old position is grey and says its age. */
export function CarLayer({ car, route }: { car: TrackedCar; route?: readonly LatLng[] }) {
  const { marker, element } = useMarker(car, {
    className: classes.carMarker,
    rotationAlignment: 'map',
    pitchAlignment: 'map',
    subpixelPositioning: true,
  })
  useGlide(marker, car, route)
  return (
    <>
      {createPortal(
        <span className={classes.car} data-stale={car.stale !== null || undefined}>
          <CarIcon size={44} />
        </span>,
        element,
      )}
      {car.stale === null ? null : <CarAge car={car} words={car.stale} />}
    </>
  )
}

function CarAge({ car, words }: { car: LatLng; words: string }) {
  const { marker, element } = useMarker(car, { offset: [0, -34] })
  marker.setLngLat([car.lng, car.lat])
  return createPortal(
    <span className={classes.carAge} dir="auto">
      {words}
    </span>,
    element,
  )
}
