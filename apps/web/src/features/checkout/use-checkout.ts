import type { CheckoutView } from '@hansom/contract/payments'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, newIdempotencyKey, orpc } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { isUndecided } from './checkout-state.ts'

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

const firstMs = 2_000
const longestMs = 30_000

/** How long to wait before asking again, ms: often at first, then ever more rarely. `asked` counts from 0. */
export function pollPause(asked: number): number {
  return Math.min(longestMs, Math.round(firstMs * 1.4 ** asked))
}

interface Options {
  onHandedOver: () => void
  /** The payer has to prove something more. */
  onChallenge?: (data: Record<string, string>) => void
}

/** Hands over what a page of ours has made of an attempt; the page then shows what has become of it. */
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
