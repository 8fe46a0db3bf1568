import type { CheckoutView } from '@hansom/contract/payments'
import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { isUndecided } from './checkout-state.ts'
import { pollPause } from './poll-pause.ts'

const optionsOf = (payment: string) => orpc.payments.show.queryOptions({ input: { payment } })

/** Puts an answer about the attempt where the page reads it. */
export function storeCheckout(view: CheckoutView): void {
  queryClient.setQueryData(optionsOf(view.id).queryKey, view)
}

/**
 * An attempt to pay as it is known now. Undecided, it is asked about again and again, more rarely with time, and at once
 * when something of the person changes.
 */
export function useCheckout(payment: string) {
  const query = useQuery({
    ...optionsOf(payment),
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isUndecided(data) ? pollPause(dataUpdateCount) : false,
  })
  useLive('user', null, { onEvent: () => void query.refetch() })
  return {
    view: query.data,
    error: query.data === undefined && query.error instanceof ApiError ? query.error : null,
    retry: () => void query.refetch(),
  }
}
