import type { BookingView } from '@hansom/contract/bookings'
import type { Position } from '@hansom/contract/tracking'
import { isOneOf, movingStatuses } from '@hansom/domain/bookings/status'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { useMemo } from 'react'
import { splitAt, useApproach } from '../../map/along-route.ts'
import { CarLayer } from '../../map/car-layer.tsx'
import CityMap from '../../map/city-map.tsx'
import { PinLayer } from '../../map/pin-layer.tsx'
import { RouteLayer } from '../../map/route-layer.tsx'
import { StopPins } from '../../map/stop-pins.tsx'

export interface DriverMapProps {
  own: Position | null
  trip: BookingView | null
  /** True if the route to the pickup is shown instead of the trip's. */
  toPickup: boolean
}

/** The layers of the driver's map. The route behind the car is grey. */
export default function DriverMapLayers({
  own,
  trip,
  toPickup,
  onFail,
}: DriverMapProps & { onFail: () => void }) {
  const planned = useMemo(() => (trip ? decodePolyline(trip.route) : []), [trip?.route])
  const isRequest = trip?.status === 'NEW'
  const approach = useApproach(own, trip && toPickup && !isRequest ? trip.pickup : null)
  const path = toPickup && approach.length > 0 ? approach : planned
  const isMoving = trip !== null && isOneOf(movingStatuses, trip.status)
  const { behind, ahead } = useMemo(() => splitAt(path, isMoving ? own : null), [path, isMoving, own])
  const fit = [
    ...(own ? [own] : []),
    ...(trip ? [...(toPickup ? [trip.pickup] : [trip.drop]), ...ahead] : []),
    // A request shows its complete route, so that the driver can judge it.
    ...(trip && (isRequest || !own) ? [trip.pickup, trip.drop] : []),
  ]
  return (
    <CityMap fit={fit} fitKey={`${trip?.id}:${toPickup}:${path.length > 0}`} onFail={onFail}>
      <RouteLayer path={behind} look="behind" />
      <RouteLayer path={ahead} />
      {trip ? <PinLayer kind="pickup" point={trip.pickup} address={trip.pickupAddress} /> : null}
      {trip ? <StopPins view={trip} /> : null}
      {own ? <CarLayer car={{ ...own, stale: null }} route={path} /> : null}
    </CityMap>
  )
}
