import type { NearbyCar } from '@hansom/contract/tracking'
import { useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../lib/i18n.ts'
import { CarIcon } from './car-icon.tsx'
import { clusterPoints } from './cluster.ts'
import { ClusterMarker } from './cluster-marker.tsx'
import classes from './map.module.css'
import { type KeyedCar, matchAnonymousCars } from './match-anonymous-cars.ts'
import { useAnimatedPosition } from './use-animated-position.ts'
import { useMapView } from './use-map-view.ts'
import { useMarker } from './use-marker.ts'

/** Above this number, cars close together are clustered at street zoom. */
const singleLimit = 10
/** Below this zoom, cars close together always overlap. */
const nearZoom = 13.5

/** The anonymous free cars around a pickup, moving smoothly between updates, or clustered where they would overlap. */
export function NearbyCarsLayer({ cars }: { cars: NearbyCar[] }) {
  const { t } = useText()
  const zoom = useMapView()?.zoom
  const known = useRef<{ seen: NearbyCar[] | null; keyed: KeyedCar[]; next: number }>({
    seen: null,
    keyed: [],
    next: 0,
  })
  if (known.current.seen !== cars) {
    const keyed = matchAnonymousCars(known.current.keyed, cars, known.current.next)
    const next = Math.max(known.current.next, ...keyed.map(({ key }) => key + 1))
    known.current = { seen: cars, keyed, next }
  }
  const { keyed } = known.current
  const gathered = useMemo(() => {
    const points = keyed.map((car) => ({ ...car, id: String(car.key) }))
    return zoom === undefined ? [] : clusterPoints(points, zoom, zoom < nearZoom ? 0 : singleLimit)
  }, [keyed, zoom])
  return gathered.map((one) => {
    const [car] = one.members
    const count = one.members.length
    return car && count === 1 ? (
      <SmallCar key={car.id} car={car} size={(zoom ?? nearZoom) < nearZoom ? 22 : 30} />
    ) : (
      <ClusterMarker key={one.key} heap={one} label={t('map.cars_near', { count })} />
    )
  })
}

function SmallCar({ car, size }: { car: KeyedCar; size: number }) {
  const { marker, element } = useMarker(car, {
    rotationAlignment: 'map',
    pitchAlignment: 'map',
    subpixelPositioning: true,
  })
  useAnimatedPosition(marker, car)
  return createPortal(
    <span className={classes.smallCar}>
      <CarIcon size={size} />
    </span>,
    element,
  )
}
