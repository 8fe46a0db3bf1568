import type { NearbyCar } from '@hansom/contract/tracking'
import { greatCircleKm } from '@hansom/domain/geo/point'
import { useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../lib/i18n.ts'
import { useAnimatedPosition } from './animate-position.ts'
import classes from './car-layer.module.css'
import { CarIcon } from './car-layer.tsx'
import { ClusterMarker, clusterPoints, streetZoom } from './cluster.tsx'
import { useMapView, useMarker } from './map-renderer.ts'

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
    if (zoom === undefined) return []
    const alone = zoom >= streetZoom ? points.length : zoom < nearZoom ? 0 : singleLimit
    return clusterPoints(points, zoom, alone)
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

/** An anonymous car with a key that is stable across updates. */
export interface KeyedCar extends NearbyCar {
  key: number
}

/** Cars of the same type within this distance count as the same car. */
const sameCarKm = 0.4

/**
 * Free cars are anonymous. Gives each car the key of the nearest unclaimed car of the same type in the previous update,
 * or a new key, so that it can move smoothly instead of jumping. Nearest pairs are matched first.
 */
export function matchAnonymousCars(
  before: readonly KeyedCar[],
  now: readonly NearbyCar[],
  nextKey: number,
): KeyedCar[] {
  const pairs = now
    .flatMap((car, index) =>
      before
        .filter((old) => old.car_type_id === car.car_type_id)
        .map((old) => ({ index, key: old.key, km: greatCircleKm(old, car) })),
    )
    .filter(({ km }) => km <= sameCarKm)
    .sort((a, b) => a.km - b.km)
  const keyOf = new Map<number, number>()
  const taken = new Set<number>()
  for (const { index, key } of pairs) {
    if (keyOf.has(index) || taken.has(key)) continue
    keyOf.set(index, key)
    taken.add(key)
  }
  let fresh = nextKey
  return now.map((car, index) => ({ ...car, key: keyOf.get(index) ?? fresh++ }))
}
