import type { LatLng } from '@hansom/domain/geo/point'
import { createPortal } from 'react-dom'
import { CarLayer, type TrackedCar } from '../../map/car-layer.tsx'
import CityMap from '../../map/city-map.tsx'
import { useMarker } from '../../map/map-renderer.ts'
import classes from './alarm-map.module.css'

/** Where the alarm was raised. */
interface AlarmPlace {
  point: LatLng
  label: string
}

interface Props {
  id: string
  car: TrackedCar | null
  place: AlarmPlace | null
  onFail: () => void
}

/** The car, live while the trip is tracked, and the place of the alarm. */
export default function AlarmMap({ id, car, place, onFail }: Props) {
  const fit = [...(car ? [car] : []), ...(place ? [place.point] : [])]
  return (
    <CityMap fit={fit} fitKey={`${id} ${car !== null}`} onFail={onFail}>
      {place ? <PlaceMark {...place} /> : null}
      {car ? <CarLayer car={car} /> : null}
    </CityMap>
  )
}

function PlaceMark({ point, label }: AlarmPlace) {
  const { marker, element } = useMarker(point, {})
  // A repeated press may know a newer place.
  marker.setLngLat([point.lng, point.lat])
  return createPortal(
    <span className={classes.place}>
      <span className={classes.label}>
        <bdi>{label}</bdi>
      </span>
    </span>,
    element,
  )
}
