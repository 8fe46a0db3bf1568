import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { mainArea } from './camera.ts'
import CityMap from './city-map.tsx'
import { type FleetCar, FleetLayer, FleetLegend, type FleetMapProps } from './fleet-layer.tsx'
import { useMap } from './map-renderer.ts'

/** Close enough to distinguish single cars. */
const carZoom = 14.5
/** Drivers within this distance count as around the user, km. */
const nearKm = 5
/** A single driver is shown with this much of the city to each side, km. */
const leastKm = 1.5

/** The car to fly to; a new object repeats the flight. */
export interface FleetFocus {
  id: string
}

interface Props extends FleetMapProps {
  /** The user's location, if known. */
  here: LatLng | null
  focus: FleetFocus | null
  onFail: () => void
}

/**
 * The map of the drivers online. It opens on most of them, or on those around the user, and does not move on its own once
 * the user has moved it; the button frames the drivers where they are then.
 */
export default function FleetMapLayers({ cars, here, selected, focus, details, onSelect, onFail }: Props) {
  const { t } = useText()
  const [asked, setAsked] = useState(0)
  const framed = useFramed(cars, here, asked)
  return (
    <>
      <CityMap
        fit={framed}
        fitKey={`fleet ${asked}`}
        fitLabel={t('map.fit_fleet')}
        onFit={() => setAsked(asked + 1)}
        onClick={() => onSelect(null)}
        onFail={onFail}
      >
        <FleetLayer cars={cars} selected={selected} details={details} onSelect={onSelect} />
        <Approach focus={focus} cars={cars} />
      </CityMap>
      <FleetLegend />
    </>
  )
}

/**
 * What the camera frames. Positions are those when the user asked or the number of drivers last doubled, so that it rests
 * and still follows a morning's start.
 */
function useFramed(cars: readonly FleetCar[], here: LatLng | null, asked: number): LatLng[] {
  const doublings = useRef(0)
  doublings.current = Math.max(doublings.current, Math.floor(Math.log2(cars.length + 1)))
  return useMemo(() => {
    const near = here ? cars.filter((car) => greatCircleKm(here, car) <= nearKm) : []
    return here && near.length > 0 ? mainArea([here, ...near], leastKm) : mainArea(cars, leastKm)
  }, [doublings.current, here, asked])
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
