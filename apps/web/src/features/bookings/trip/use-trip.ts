import type { BookingView } from '@hansom/contract/bookings'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../lib/api.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { newerView } from '../../../lib/booking-cache.ts'
import { useLive } from '../../../lib/live.ts'

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

const withdrawn: readonly string[] = ['not_found', 'forbidden']

/**
 * Follows one booking: what the server said last, over HTTP or live, the newer version always winning. Whoever may
 * see it no longer (a driver who was asked and came second) is told so at once.
 */
export function useTrip(id: string): Trip {
  const live = useLive('booking', id)
  const query = useQuery(orpc.bookings.get.queryOptions({ input: { id } }))
  const known = live.data && live.data.id === id ? newerView(query.data, live.data) : query.data
  const isWithdrawn = live.error !== null && withdrawn.includes(live.error)
  const view = isWithdrawn ? undefined : known
  const failure = query.error instanceof ApiError ? query.error : null
  return {
    view,
    error: view ? null : isWithdrawn ? new ApiError('not_found', 404) : failure,
    current: live.current,
    asOf: query.dataUpdatedAt,
    retry: () => void query.refetch(),
  }
}
