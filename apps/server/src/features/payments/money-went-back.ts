import type { NewEvent } from '../../platform/outbox/event.ts'

/** Event kind: a provider reports that money was returned. */
export const moneyWentBack = 'payment.went_back'

/** The outbox event. Consumers query the provider for the amount and reason. */
export function moneyWentBackEvent(payment: string): NewEvent {
  return { kind: moneyWentBack, stream: payment, payload: { payment } }
}
