import { isSamePlace } from '@hansom/domain/geo/point'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import type { Draft } from '../../lib/booking-draft.ts'

/** Fares and pickup minutes for the chosen way, renewed twice a minute while the page is looked at. */
export function useOffers({ pickup, drop }: Draft) {
  const chosen = pickup !== null && drop !== null && !isSamePlace(pickup, drop)
  const query = useQuery({
    ...orpc.bookings.offers.queryOptions({
      input: {
        pickup: { lat: pickup?.lat ?? 0, lng: pickup?.lng ?? 0 },
        drop: { lat: drop?.lat ?? 0, lng: drop?.lng ?? 0 },
      },
    }),
    enabled: chosen,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    staleTime: 15_000,
  })
  return { ...query, data: chosen ? query.data : undefined }
}
