import { useEffect, useRef } from 'react'
import { useText } from '../lib/i18n.ts'
import CityMap from './city-map.tsx'
import { FleetLayer } from './fleet-layer.tsx'
import type { FleetCar, FleetFocus, FleetMapProps } from './fleet-map-props.ts'
import { useMap } from './map-renderer.ts'

const openingZoom = 10
/** Close enough to tell one car from the next. */
const carZoom = 14.5

/** The layers of the map of the fleet. */
export default function FleetMapLayers({
  cars,
  center,
  selected,
  focus,
  onSelect,
  onFail,
}: FleetMapProps & { onFail: () => void }) {
  const { t } = useText()
  return (
    <CityMap
      bounds={[center.lng, center.lat, center.lng, center.lat]}
      opening={{ center, zoom: openingZoom }}
      fit={[...cars]}
      fitKey={`${center.lat},${center.lng}`}
      fitLabel={t('map.fit_fleet')}
      onClick={() => onSelect(null)}
      onFail={onFail}
    >
      <FleetLayer cars={cars} selected={selected} onSelect={onSelect} />
      <Approach focus={focus} cars={cars} />
    </CityMap>
  )
}

/** Goes to a car when it is chosen elsewhere; afterwards the map is the person's again. */
function Approach({ focus, cars }: { focus: FleetFocus | null; cars: readonly FleetCar[] }) {
  const { current: map } = useMap()
  const known = useRef(cars)
  known.current = cars

  useEffect(() => {
    const car = known.current.find(({ id }) => id === focus?.id)
    if (!map || !car) return
    const zoom = Math.max(map.getZoom(), carZoom)
    // The event marks the move as the person's own, so that the camera does not follow back at once.
    map.flyTo({ center: [car.lng, car.lat], zoom, duration: 900 }, { originalEvent: 'choose' })
  }, [map, focus])
  return null
}
