import { ApiError } from '@hansom/client/api-error'
import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { CheckoutView } from '@hansom/contract/payments'
import { openPaymentStates } from '@hansom/domain/payments/payment'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, orpc } from '../../lib/api.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'

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

/** What the checkout page shows. */
export type CheckoutScene =
  /** The payer is sent on, to the provider's page or to our own form. */
  | 'step'
  /** Nothing was submitted yet, and the order is no longer due. */
  | 'lapsed'
  /** The provider has the attempt, or the payer came back without a result: the status is polled. */
  | 'waiting'
  | 'paid'
  /** Paid, but the order no longer needed it: the money is in the wallet. */
  | 'in_wallet'
  | 'failed'
  | 'expired'
  | 'mismatch'

type Attempt = Pick<CheckoutView, 'state' | 'step' | 'used_for' | 'lapsed'>

/** What happened in this window. `insists`: the payer wants to pay although the order is no longer due. */
interface Window {
  wasRedirected: boolean
  insists: boolean
}

/**
 * The scene of an attempt. `wasRedirected`: this window was sent to the provider, or one of our pages submitted
 * something; neither is repeated automatically. A provider also reports pending before the payer has done anything.
 */
export function sceneOf(attempt: Attempt, { wasRedirected, insists }: Window): CheckoutScene {
  const { state, step, used_for, lapsed } = attempt
  if (state === 'paid') return used_for === 'wallet' ? 'in_wallet' : 'paid'
  if (state === 'failed' || state === 'expired' || state === 'mismatch') return state
  if (step === null || wasRedirected) return 'waiting'
  if (state === 'pending' && step.kind !== 'page') return 'waiting'
  return lapsed && !insists ? 'lapsed' : 'step'
}

/** True while the attempt may still change on the server. */
export function isUndecided({ state, used_for }: Pick<Attempt, 'state' | 'used_for'>): boolean {
  const isOpen = (openPaymentStates as readonly string[]).includes(state)
  return isOpen || (state === 'paid' && used_for === null)
}
