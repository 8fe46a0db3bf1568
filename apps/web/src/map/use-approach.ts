import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { orpc } from '../lib/api.ts'
import { splitAt } from './along-route.ts'

/** Requests a new route once the car is off the current one and at least this far from where that one was requested. */
const farEnoughKm = 0.15

/** The route from the car to the pickup; empty while loading, or without a car or pickup. */
export function useApproach(car: LatLng | null, pickup: LatLng | null): LatLng[] {
  const requestedFrom = useRef<LatLng | null>(null)
  const known = useRef<LatLng[]>([])
  if (!car || !pickup) requestedFrom.current = null
  else if (!requestedFrom.current || hasLeft(known.current, car, requestedFrom.current)) {
    requestedFrom.current = { lat: car.lat, lng: car.lng }
  }
  const start = requestedFrom.current
  const { data } = useQuery({
    ...orpc.places.route.queryOptions({
      input: { points: start && pickup ? [start, { lat: pickup.lat, lng: pickup.lng }] : [] },
    }),
    enabled: start !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  })
  const polyline = start ? data?.polyline : undefined
  const route = useMemo(() => (polyline ? decodePolyline(polyline) : []), [polyline])
  known.current = route
  return route
}

function hasLeft(route: readonly LatLng[], car: LatLng, requestedFrom: LatLng): boolean {
  return splitAt(route, car).behind.length === 0 && greatCircleKm(car, requestedFrom) > farEnoughKm
}
