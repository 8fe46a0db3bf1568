import { useEffect, useRef } from 'react'
import { useText } from '../lib/i18n.ts'
import CityMap from './city-map.tsx'
import { FleetLayer } from './fleet-layer.tsx'
import type { FleetCar, FleetFocus, FleetMapProps } from './fleet-map-props.ts'
import { useMap } from './map-renderer.ts'

const openingZoom = 10
/** Close enough to distinguish single cars. */
const carZoom = 14.5

/** The layers of the fleet map. */
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

/** Flies to a car selected outside the map; afterwards the user controls the map again. */
function Approach({ focus, cars }: { focus: FleetFocus | null; cars: readonly FleetCar[] }) {
  const { current: map } = useMap()
  const known = useRef(cars)
  known.current = cars

  useEffect(() => {
    const car = known.current.find(({ id }) => id === focus?.id)
    if (!map || !car) return
    const zoom = Math.max(map.getZoom(), carZoom)
    // `originalEvent` marks the move as the user's, so that the camera does not move back immediately.
    map.flyTo({ center: [car.lng, car.lat], zoom, duration: 900 }, { originalEvent: 'choose' })
  }, [map, focus])
  return null
}
