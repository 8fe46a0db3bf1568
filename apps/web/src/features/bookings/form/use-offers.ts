import type { PaymentMode } from '@hansom/domain/bookings/choices'
import type { ErrorKey } from '@hansom/domain/error-keys'
import { isSamePlace } from '@hansom/domain/geo/point'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { orpc } from '../../../lib/api.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { Draft } from '../../../entities/bookings/booking-draft.ts'

/**
 * Fares and pickup times for the chosen route, refreshed twice a minute while the page is visible. Only cars whose
 * drivers accept the payment method count. `noRoute` is an error key if no fare can be calculated.
 */
export function useOffers({ pickup, drop }: Draft, payment_mode: PaymentMode) {
  const chosen = pickup !== null && drop !== null && !isSamePlace(pickup, drop)
  const query = useQuery({
    ...orpc.bookings.offers.queryOptions({
      input: {
        pickup: { lat: pickup?.lat ?? 0, lng: pickup?.lng ?? 0 },
        drop: { lat: drop?.lat ?? 0, lng: drop?.lng ?? 0 },
        payment_mode,
      },
    }),
    enabled: chosen,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    staleTime: 15_000,
  })
  return { ...query, data: chosen ? query.data : undefined, noRoute: chosen ? noRouteOf(query.error) : null }
}

function noRouteOf(error: unknown): ErrorKey | null {
  if (!(error instanceof ApiError)) return null
  if (error.key === 'outside_region') return error.key
  return error.key === 'No Route Found' ? 'place_to_coords_error' : null
}
