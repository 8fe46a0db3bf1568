import { useMutation } from '@tanstack/react-query'
import { api, newIdempotencyKey } from '../../lib/api.ts'
import { storeCheckout } from './use-checkout.ts'

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
