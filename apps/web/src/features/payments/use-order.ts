import type { PaymentOrder } from '@hansom/contract/payments'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'

/** An order as it is known now. */
export interface KnownOrder {
  order: PaymentOrder | undefined
  /** Why there is none; a failure without an answer has a key of its own. */
  error: ApiError | null
  retry: () => void
}

/**
 * What is to be paid by card, and who takes it. `turn` changes with whatever changes the amount: the order is asked for
 * again, and what was known before is not shown. Null asks for nothing.
 */
export function useOrder(order: string | null, turn: string | number = ''): KnownOrder {
  const options = orpc.payments.order.queryOptions({ input: { order: order ?? '' } })
  const query = useQuery({
    ...options,
    queryKey: [...options.queryKey, turn] as unknown as typeof options.queryKey,
    enabled: order !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return {
    order: query.data,
    error: query.error ? readable(query.error) : null,
    retry: () => void query.refetch(),
  }
}

/** Without a refusal in words, the list of providers could not be read. */
function readable(error: unknown): ApiError {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500
  return isRefusal ? error : new ApiError('provider_fetch_error', 502)
}
