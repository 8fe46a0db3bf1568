import type { PaymentView } from '@hansom/contract/payments'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../lib/api.ts'

/**
 * The attempt to pay that a provider has but has not decided: null when there is none, undefined while that is not known.
 * Null for the booking asks for nothing.
 */
export function usePaymentUnderWay(booking: string | null): PaymentView | null | undefined {
  const { data, isError } = useQuery({
    ...orpc.payments.ofBooking.queryOptions({ input: { id: booking ?? '' } }),
    enabled: booking !== null,
    staleTime: 0,
    refetchInterval: 20_000,
  })
  if (isError || booking === null) return null
  return data && (data.items.find(({ state }) => state === 'pending') ?? null)
}
