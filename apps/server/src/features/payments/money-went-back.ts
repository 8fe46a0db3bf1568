import type { NewEvent } from '../../platform/outbox/event.ts'

/** The kind of event that tells that a provider speaks of money that went back. */
export const moneyWentBack = 'payment.went_back'

/** News for the outbox: how much went back, and why, the provider is asked. */
export function moneyWentBackEvent(payment: string): NewEvent {
  return { kind: moneyWentBack, stream: payment, payload: { payment } }
}
