import type { LatLng } from '@hansom/domain/geo/point'
import { createPortal } from 'react-dom'
import { useSettings } from '../lib/settings.ts'
import { useAnimatedPosition } from './animate-position.ts'
import classes from './car-layer.module.css'
import { useMarker } from './map-renderer.ts'

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

/**
 * A taxi with a roof lamp or, for deliveries, a courier on a motorbike with a box. Both are seen from above, face north
 * and were drawn for this project. Colors are in the style sheet.
 */
export function CarIcon({ size }: { size: number }) {
  const { category } = useSettings()
  return (
    <svg
      className={classes.carIcon}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      aria-hidden="true"
      focusable="false"
    >
      {category === 'taxi' ? <Taxi /> : <Motorbike />}
    </svg>
  )
}

function Taxi() {
  return (
    <>
      <path
        className={classes.carBody}
        d="M14.5 19l1.2-10c.4-3.4 3.5-5.5 8.3-5.5s7.9 2.1 8.3 5.5l1.2 10v18.5c0 4.5-3.2 7-9.5 7s-9.5-2.5-9.5-7z"
      />
      <path className={classes.carGlass} d="M16.8 18.5c2.5-2.2 11.9-2.2 14.4 0l-1.7 5.7h-11z" />
      <path className={classes.carGlass} d="M18.2 34.8h11.6l1 4.6c-2.8 1.6-10.8 1.6-13.6 0z" />
      <path
        className={classes.carLight}
        d="M17.6 8.2c.4-1.3 1.3-2.1 2.4-2.5M30.4 8.2c-.4-1.3-1.3-2.1-2.4-2.5"
      />
      <rect className={classes.carLamp} x="19.2" y="26.8" width="9.6" height="4.4" rx="2" />
    </>
  )
}

function Motorbike() {
  return (
    <>
      <rect className={classes.carBody} x="21" y="2.6" width="6" height="11" rx="3" />
      <path className={classes.carBody} d="M20 12.5h8l1.5 9.5v14c0 3-2.2 5-5.5 5s-5.5-2-5.5-5V22z" />
      <path className={classes.handlebar} d="M14.6 15.4c2.4-2 5.4-2.9 9.4-2.9s7 .9 9.4 2.9" />
      <circle className={classes.carGlass} cx="24" cy="20.6" r="4.9" />
      <rect className={classes.carLamp} x="13.5" y="27" width="21" height="17" rx="3" />
      <path className={classes.tape} d="M24 27v17" />
    </>
  )
}
