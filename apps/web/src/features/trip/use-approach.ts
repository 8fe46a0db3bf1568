import { decodePolyline } from '@hansom/domain/geo/polyline'
import type { LatLng } from '@hansom/domain/geo/point'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../lib/api.ts'

/** The way is asked anew only when the car has left a square of about 400 m. */
const squares = 250

/** The streets from the car to the pickup; empty while unknown or without a car. */
export function useApproach(car: LatLng | null, pickup: LatLng): LatLng[] {
  const start = car
    ? { lat: Math.round(car.lat * squares) / squares, lng: Math.round(car.lng * squares) / squares }
    : null
  const points = car && start ? [start, { lat: pickup.lat, lng: pickup.lng }] : []
  const { data } = useQuery({
    ...orpc.places.route.queryOptions({ input: { points } }),
    enabled: points.length === 2,
    staleTime: 60_000,
    placeholderData: (before) => before,
  })
  const polyline = points.length === 2 ? data?.polyline : undefined
  return useMemo(() => (polyline ? decodePolyline(polyline) : []), [polyline])
}
