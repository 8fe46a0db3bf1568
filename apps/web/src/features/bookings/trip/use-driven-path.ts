import type { BookingView } from '@hansom/contract/bookings'
import type { LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../../lib/api.ts'

/** The way that an ended trip really took; empty until then, and where nothing of it was seen. */
export function useDrivenPath(view: BookingView): LatLng[] {
  const { data } = useQuery({
    ...orpc.tracking.path.queryOptions({ input: { id: view.id } }),
    enabled: view.trip_end_time !== null && view.viewer !== 'requested',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => (data ? decodePolyline(data.polyline) : []), [data])
}
