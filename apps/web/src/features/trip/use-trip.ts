import type { BookingView } from '@hansom/contract/bookings'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newer } from '../../lib/booking-cache.ts'
import { useLive } from '../../lib/live.ts'

/** A trip as it is known now, and how well. */
export interface Trip {
  view: BookingView | undefined
  /** What kept the trip from being read; null while it is on its way or known. */
  error: ApiError | null
  /** False while the line is being restored: the view is the last one known, from `asOf` (device clock, ms). */
  current: boolean
  asOf: number
  retry: () => void
}

/** Follows one booking: what the server said last, over HTTP or live, the newer version always winning. */
export function useTrip(id: string): Trip {
  const live = useLive('booking', id)
  const query = useQuery(orpc.bookings.get.queryOptions({ input: { id } }))
  const view = live.data && live.data.id === id ? newer(query.data, live.data) : query.data
  return {
    view,
    error: !view && query.error instanceof ApiError ? query.error : null,
    current: live.current,
    asOf: query.dataUpdatedAt,
    retry: () => void query.refetch(),
  }
}
