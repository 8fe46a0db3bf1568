import type { NearbyCar } from '@hansom/contract/tracking'
import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { CarIcon } from './car-icon.tsx'
import { type KeyedCar, matchCars } from './match-cars.ts'
import classes from './map.module.css'
import { useGlide } from './use-glide.ts'
import { useMarker } from './use-marker.ts'

/** The free cars around a pickup: small, without names, gliding from look to look. */
export function NearbyCarsLayer({ cars }: { cars: NearbyCar[] }) {
  const known = useRef<{ seen: NearbyCar[] | null; keyed: KeyedCar[]; next: number }>({
    seen: null,
    keyed: [],
    next: 0,
  })
  if (known.current.seen !== cars) {
    const keyed = matchCars(known.current.keyed, cars, known.current.next)
    const next = Math.max(known.current.next, ...keyed.map(({ key }) => key + 1))
    known.current = { seen: cars, keyed, next }
  }
  return known.current.keyed.map((car) => <SmallCar key={car.key} car={car} />)
}

function SmallCar({ car }: { car: KeyedCar }) {
  const { marker, element } = useMarker(car, {
    rotationAlignment: 'map',
    pitchAlignment: 'map',
    subpixelPositioning: true,
  })
  useGlide(marker, car)
  return createPortal(
    <span className={classes.smallCar}>
      <CarIcon size={30} />
    </span>,
    element,
  )
}
