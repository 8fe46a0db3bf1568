import type { BookingView } from '@hansom/contract/bookings'
import { endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { Query } from '@tanstack/react-query'
import { queryClient } from '../lib/query-client.ts'

/** The route that a query calls, such as `bookings.get`. */
export const pathOf = ({ queryKey: [path] }: Pick<Query, 'queryKey'>): string =>
  Array.isArray(path) ? path.join('.') : ''

/** The open trips that the page has data of. */
export function openTrips(): BookingView[] {
  return queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => pathOf(query) === 'bookings.get')
    .flatMap(({ state }) => (state.data as BookingView | undefined) ?? [])
    .filter(({ status }) => !isOneOf(endedStatuses, status))
}
