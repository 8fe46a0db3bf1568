import type { BookingView } from '@hansom/contract/bookings'
import type { SharedParcelView, SharedTripView } from '@hansom/contract/trip-links'
import { isUpcoming } from '@hansom/domain/bookings/status'
import type { LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SeenCar } from '../../../entities/bookings/tracked-car.ts'
import { orpc } from '../../../lib/api.ts'
import { useServerNow } from '../../../lib/clock.ts'
import { splitAt, useApproach } from '../../../map/along-route.ts'
import { CarLayer } from '../../../map/car-layer.tsx'
import CityMap from '../../../map/city-map.tsx'
import { PinLayer, SearchWaves } from '../../../map/pin-layer.tsx'
import { RouteLayer, WalkingLeg } from '../../../map/route-layer.tsx'
import { StopPins } from '../../../map/stop-pins.tsx'

const over: readonly BookingView['status'][] = ['REACHED', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED']

/** The layers of the trip's map: route, pickup, drop and car. */
export function TripMapLayers({
  view,
  car,
  stale,
  onFail,
}: {
  view: BookingView
  car: SeenCar | null
  /** Text for an old position. */
  stale: string | null
  onFail: () => void
}) {
  const planned = useMemo(() => decodePolyline(view.route), [view.route])
  const point = car?.point ?? null
  const driven = useDrivenPath(view)
  const isOver = over.includes(view.status)
  const now = useServerNow(15_000)
  const isSearched = view.status === 'NEW' && !isUpcoming(view, now)
  const isComing = view.status === 'ACCEPTED'
  const approach = useApproach(isComing ? point : null, view.pickup)
  const route = isComing && approach.length > 0 ? approach : planned
  // Until the route to the pickup is known, the planned route is shown.
  const look = isOver || (isComing && route === planned) ? 'planned' : 'route'
  const isDriving = look === 'route' && (isComing || view.status === 'STARTED')
  const { behind, ahead } = useMemo(() => splitAt(route, isDriving ? point : null), [route, isDriving, point])
  return (
    <CityMap
      fit={inView(view, isSearched, point, isDriving ? ahead : isComing ? [] : [...planned, ...driven])}
      fitKey={`${view.id} ${view.status}${isSearched ? ' searched' : ''}${driven.length > 0 ? ' driven' : ''}`}
      onFail={onFail}
    >
      {isOver ? null : (
        <>
          <WalkingLeg place={view.pickup} street={planned[0]} />
          <WalkingLeg place={view.drop} street={planned.at(-1)} />
        </>
      )}
      <RouteLayer path={behind} look="behind" />
      <RouteLayer key={look} path={ahead} look={look} />
      <RouteLayer path={driven} />
      {isSearched ? <SearchWaves center={view.pickup} /> : null}
      <StopPins view={view} />
      <PinLayer kind="pickup" point={view.pickup} address={view.pickupAddress} />
      {point ? (
        <CarLayer car={{ lat: point.lat, lng: point.lng, bearing: point.bearing, stale }} route={route} />
      ) : null}
    </CityMap>
  )
}

/** The visible extent: search area, car and pickup, car and the rest of the route, or all of it. */
function inView(view: BookingView, isSearched: boolean, car: LatLng | null, route: LatLng[]): LatLng[] {
  if (isSearched) return around(view.pickup)
  if (car && view.status === 'ACCEPTED') return [car, view.pickup, ...route]
  if (car && view.status === 'ARRIVED') return [car, view.pickup]
  if (car && view.status === 'STARTED') return [car, view.drop, ...route]
  return [view.pickup, view.drop, ...route]
}

/** The area around a point, about 600 m: during the search, and while no courier is on the way. */
function around({ lat, lng }: LatLng): LatLng[] {
  return [
    { lat: lat - 0.005, lng: lng - 0.006 },
    { lat: lat + 0.005, lng: lng + 0.006 },
  ]
}

/** The route that an ended trip really took; empty before, and if no position was recorded. */
function useDrivenPath(view: BookingView): LatLng[] {
  const { data } = useQuery({
    ...orpc.tracking.path.queryOptions({ input: { id: view.id } }),
    enabled: view.trip_end_time !== null && view.viewer !== 'requested',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => (data ? decodePolyline(data.polyline) : []), [data])
}

interface Props {
  trip: SharedTripView
  /** Text for an old position. */
  stale: string | null
  onFail: () => void
}

/** The map of a shared trip: the route, both ends and the car. */
export function SharedTripLayers({ trip, stale, onFail }: Props) {
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
    <CityMap fit={inView} fitKey={`${status} ${point !== null}`} onFail={onFail}>
      <RouteLayer path={behind} look="behind" />
      <RouteLayer path={ahead} look={isDriving ? 'route' : 'planned'} />
      <PinLayer kind="drop" point={drop} address={drop.add} />
      <PinLayer kind="pickup" point={pickup} address={pickup.add} />
      {point ? (
        <CarLayer car={{ lat: point.lat, lng: point.lng, bearing: point.bearing, stale }} route={route} />
      ) : null}
    </CityMap>
  )
}

/** The map of a recipient: their address, and the courier on the way to it. */
export function ParcelLayers({
  view: { point, parcel },
  stale,
  onFail,
}: {
  view: SharedParcelView
  stale: string | null
  onFail: () => void
}) {
  const { place } = parcel
  const approach = useApproach(point, place)
  if (!place) return null
  return (
    <CityMap
      fit={point ? [point, place, ...approach] : around(place)}
      fitKey={`${point !== null}`}
      onFail={onFail}
    >
      <RouteLayer path={approach} look="route" />
      <PinLayer kind="drop" point={place} address={place.add} />
      {point ? (
        <CarLayer car={{ lat: point.lat, lng: point.lng, bearing: point.bearing, stale }} route={approach} />
      ) : null}
    </CityMap>
  )
}
