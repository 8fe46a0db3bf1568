import type { LatLng } from '@hansom/domain/geo/point'
import type { BookingMapProps } from './booking-map-props.ts'
import CityMap from './city-map.tsx'
import { NearbyCarsLayer } from './nearby-cars-layer.tsx'
import { PickPoint } from './pick-point.tsx'
import { PinLayer } from './pin-layer.tsx'
import { RouteLayer } from './route-layer.tsx'
import { WalkingLeg } from './walking-leg.tsx'

const ends = ['drop', 'pickup'] as const

/** The layers of the booking map. */
export default function BookingMapLayers({
  pickup,
  drop,
  route,
  cars,
  picking,
  onPick,
  bounds,
  padding,
  onFail,
}: Omit<BookingMapProps, 'routePolyline'> & { route: LatLng[]; onFail: () => void }) {
  const points = { pickup, drop }
  const set = [pickup, drop].filter((point) => point !== null)
  const fit = route.length > 0 ? [...set, ...route] : set
  // The camera stays put while a pin is set on the map.
  const fitKey = picking ? 'picking' : set.map(({ lat, lng }) => `${lat},${lng}`).join(' ') + route.length
  return (
    <CityMap
      bounds={bounds}
      fit={picking ? [] : fit}
      fitKey={fitKey}
      {...(padding ? { padding } : {})}
      onClick={(point) => picking && onPick(point, picking)}
      onFail={onFail}
    >
      {pickup ? <WalkingLeg place={pickup} street={route[0]} /> : null}
      {drop ? <WalkingLeg place={drop} street={route.at(-1)} /> : null}
      <RouteLayer path={route} />
      <NearbyCarsLayer cars={cars} />
      {ends.map((kind) => {
        const point = points[kind]
        if (!point || picking === kind) return null
        return (
          <PinLayer
            key={kind}
            kind={kind}
            point={point}
            address={point.add}
            onMove={(moved) => onPick(moved, kind)}
          />
        )
      })}
      {picking ? <PickPoint kind={picking} onPick={(point) => onPick(point, picking)} /> : null}
    </CityMap>
  )
}
