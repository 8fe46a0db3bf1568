import { decodePolyline } from '@hansom/domain/geo/polyline'
import { type LatLng } from '@hansom/domain/geo/point'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../lib/api.ts'
import { useSettings } from '../../lib/settings.ts'
import { CarLayer } from '../../map/car-layer.tsx'
import CityMap from '../../map/city-map.tsx'
import { PinLayer } from '../../map/pin-layer.tsx'
import { RouteLayer } from '../../map/route-layer.tsx'
import type { DriverMapProps } from './driver-map-props.ts'

/** The way to the pickup is asked anew only when the car has moved this far off, degrees (about 400 m). */
const grain = 250

/** The layers of the driver's map. */
export default function DriverMapLayers({
  own,
  trip,
  toPickup,
  onFail,
}: DriverMapProps & { onFail: () => void }) {
  const { region } = useSettings()
  const planned = useMemo(() => (trip ? decodePolyline(trip.route) : []), [trip?.route])
  const approach = useApproach(own, trip && toPickup ? trip.pickup : null)
  const path = toPickup && approach.length > 0 ? approach : planned
  const fit = [
    ...(own ? [own] : []),
    ...(trip ? (toPickup ? [trip.pickup] : [trip.drop]) : []),
    ...(trip && !own ? [trip.pickup, trip.drop] : []),
  ]
  return (
    <CityMap bounds={region.bounds} fit={fit} fitKey={`${trip?.id}:${toPickup}`} onFail={onFail}>
      <RouteLayer path={trip ? path : []} />
      {trip ? <PinLayer kind="pickup" point={trip.pickup} address={trip.pickupAddress} /> : null}
      {trip ? <PinLayer kind="drop" point={trip.drop} address={trip.dropAddress} /> : null}
      {own ? <CarLayer car={{ ...own, stale: null }} route={trip ? path : []} /> : null}
    </CityMap>
  )
}

function useApproach(own: LatLng | null, target: LatLng | null): LatLng[] {
  const start = own
    ? { lat: Math.round(own.lat * grain) / grain, lng: Math.round(own.lng * grain) / grain }
    : null
  const points = own && start && target ? [start, { lat: target.lat, lng: target.lng }] : []
  const found = useQuery({
    ...orpc.places.route.queryOptions({ input: { points } }),
    enabled: points.length === 2,
    staleTime: 60_000,
    placeholderData: (before) => before,
  })
  const polyline = points.length === 2 ? found.data?.polyline : undefined
  return useMemo(() => (polyline ? decodePolyline(polyline) : []), [polyline])
}
