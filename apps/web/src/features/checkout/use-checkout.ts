import type { CheckoutView } from '@hansom/contract/payments'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, newIdempotencyKey, orpc } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { isUndecided } from './checkout-state.ts'

const optionsOf = (payment: string) => orpc.payments.show.queryOptions({ input: { payment } })

/** Stores a new state of the attempt for the page. */
export function storeCheckout(view: CheckoutView): void {
  queryClient.setQueryData(optionsOf(view.id).queryKey, view)
}

/**
 * The current state of a payment attempt. While undecided it is polled with growing pauses, and immediately when the user's
 * data changes.
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

const firstMs = 2_000
const longestMs = 30_000

/** Pause before the next poll, ms; grows with the number of polls so far. */
export function pollPause(asked: number): number {
  return Math.min(longestMs, Math.round(firstMs * 1.4 ** asked))
}

interface Options {
  onHandedOver: () => void
  /** The payer has to pass a challenge. */
  onChallenge?: (data: Record<string, string>) => void
}

/** Submits the result of one of our pages; the checkout then shows the outcome. */
export function useComplete(payment: string, { onHandedOver, onChallenge }: Options) {
  return useMutation({
    mutationFn: (input: Record<string, string>) =>
      api.payments.complete({ payment, input }, { context: { idempotencyKey: newIdempotencyKey() } }),
    onSuccess: ({ payment: view, challenge }) => {
      if (challenge) return onChallenge?.(challenge)
      onHandedOver()
      storeCheckout(view)
    },
  })
}
