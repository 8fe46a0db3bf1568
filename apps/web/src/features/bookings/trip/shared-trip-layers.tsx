import type { SharedTripView } from '@hansom/contract/trip-links'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { useMemo } from 'react'
import { useSettings } from '../../../lib/settings.ts'
import { splitAt } from '../../../map/along-route.ts'
import { CarLayer } from '../../../map/car-layer.tsx'
import CityMap from '../../../map/city-map.tsx'
import { PinLayer } from '../../../map/pin-layer.tsx'
import { RouteLayer } from '../../../map/route-layer.tsx'
import { useApproach } from '../../../map/use-approach.ts'

interface Props {
  trip: SharedTripView
  /** Text for an old position. */
  stale: string | null
  onFail: () => void
}

/** The map of a shared trip: the route, both ends and the car. */
export default function SharedTripLayers({ trip, stale, onFail }: Props) {
  const { region } = useSettings()
  const planned = useMemo(() => decodePolyline(trip.route), [trip.route])
  const { point, status, pickup, drop } = trip
  const approach = useApproach(status === 'ACCEPTED' ? point : null, pickup)
  const isComing = status === 'ACCEPTED' && approach.length > 0
  const route = isComing ? approach : planned
  const isDriving = isComing || status === 'STARTED'
  const { behind, ahead } = useMemo(() => splitAt(route, isDriving ? point : null), [route, isDriving, point])
  const target = status === 'STARTED' ? drop : pickup
  const inView = point ? [point, target, ...(isDriving ? ahead : [])] : [pickup, drop, ...planned]
  return (
    <CityMap bounds={region.bounds} fit={inView} fitKey={`${status} ${point !== null}`} onFail={onFail}>
      <RouteLayer path={behind} look="behind" />
      <RouteLayer path={ahead} look={isDriving ? 'way' : 'planned'} />
      <PinLayer kind="drop" point={drop} address={drop.add} />
      <PinLayer kind="pickup" point={pickup} address={pickup.add} />
      {point ? (
        <CarLayer car={{ lat: point.lat, lng: point.lng, bearing: point.bearing, stale }} route={route} />
      ) : null}
    </CityMap>
  )
}
