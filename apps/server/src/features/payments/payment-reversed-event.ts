import type { NewEvent } from '../../platform/outbox/event.ts'

/** Event kind: a provider reports that money was returned. */
export const paymentReversed = 'payment.went_back'

/** The outbox event. Consumers query the provider for the amount and reason. */
export function paymentReversedEvent(payment: string): NewEvent {
  return { kind: paymentReversed, stream: payment, payload: { payment } }
}
