import type { CheckoutView } from '@hansom/contract/payments'
import { openPaymentStates } from '@hansom/domain/payments/payment'

/** What the checkout page shows. */
export type CheckoutScene =
  /** The payer is led on: to the provider's page, or to a form of ours. */
  | 'step'
  /** Nothing was handed over yet, and the order does not need it any more. */
  | 'lapsed'
  /** The provider has it, or the payer has come back on foot: we ask. */
  | 'waiting'
  | 'paid'
  /** Paid, but the order no longer needed it: the money is in the wallet. */
  | 'in_wallet'
  | 'failed'
  | 'expired'
  | 'mismatch'

type Attempt = Pick<CheckoutView, 'state' | 'step' | 'used_for' | 'lapsed'>

/** What happened in this window. `insists`: the payer wants to pay although the order does not need it. */
interface Window {
  wasLedOn: boolean
  insists: boolean
}

/**
 * The scene of an attempt. `wasLedOn`: this window has been sent to the provider, or a page of ours has handed something
 * over; neither happens again by itself. A provider that is asked before the payer has done anything says pending too.
 */
export function sceneOf(attempt: Attempt, { wasLedOn, insists }: Window): CheckoutScene {
  const { state, step, used_for, lapsed } = attempt
  if (state === 'paid') return used_for === 'wallet' ? 'in_wallet' : 'paid'
  if (state === 'failed' || state === 'expired' || state === 'mismatch') return state
  if (step === null || wasLedOn) return 'waiting'
  if (state === 'pending' && step.kind !== 'page') return 'waiting'
  return lapsed && !insists ? 'lapsed' : 'step'
}

/** True while the server may still say something new of the attempt. */
export function isUndecided({ state, used_for }: Pick<Attempt, 'state' | 'used_for'>): boolean {
  const isOpen = (openPaymentStates as readonly string[]).includes(state)
  return isOpen || (state === 'paid' && used_for === null)
}
