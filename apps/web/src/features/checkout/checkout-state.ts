import type { CheckoutView } from '@hansom/contract/payments'
import { openPaymentStates } from '@hansom/domain/payments/payment'

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
  wasLedOn: boolean
  insists: boolean
}

/**
 * The scene of an attempt. `wasLedOn`: this window was sent to the provider, or one of our pages submitted something;
 * neither is repeated automatically. A provider also reports pending before the payer has done anything.
 */
export function sceneOf(attempt: Attempt, { wasLedOn, insists }: Window): CheckoutScene {
  const { state, step, used_for, lapsed } = attempt
  if (state === 'paid') return used_for === 'wallet' ? 'in_wallet' : 'paid'
  if (state === 'failed' || state === 'expired' || state === 'mismatch') return state
  if (step === null || wasLedOn) return 'waiting'
  if (state === 'pending' && step.kind !== 'page') return 'waiting'
  return lapsed && !insists ? 'lapsed' : 'step'
}

/** True while the attempt may still change on the server. */
export function isUndecided({ state, used_for }: Pick<Attempt, 'state' | 'used_for'>): boolean {
  const isOpen = (openPaymentStates as readonly string[]).includes(state)
  return isOpen || (state === 'paid' && used_for === null)
}
