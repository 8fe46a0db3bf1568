import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { orpc } from '../lib/api.ts'
import { splitAt } from './along-route.ts'

/** The way is asked anew once the car has left it, and has come this far since it was asked. */
const farEnoughKm = 0.15

/** The streets from the car to a pickup; empty while unknown, without a car, or with nowhere to go. */
export function useApproach(car: LatLng | null, pickup: LatLng | null): LatLng[] {
  const asked = useRef<LatLng | null>(null)
  const known = useRef<LatLng[]>([])
  if (!car || !pickup) asked.current = null
  else if (!asked.current || hasLeft(known.current, car, asked.current)) {
    asked.current = { lat: car.lat, lng: car.lng }
  }
  const start = asked.current
  const { data } = useQuery({
    ...orpc.places.route.queryOptions({
      input: { points: start && pickup ? [start, { lat: pickup.lat, lng: pickup.lng }] : [] },
    }),
    enabled: start !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  })
  const polyline = start ? data?.polyline : undefined
  const way = useMemo(() => (polyline ? decodePolyline(polyline) : []), [polyline])
  known.current = way
  return way
}

function hasLeft(way: readonly LatLng[], car: LatLng, asked: LatLng): boolean {
  return splitAt(way, car).behind.length === 0 && greatCircleKm(car, asked) > farEnoughKm
}
