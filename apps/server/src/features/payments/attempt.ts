import { openPaymentStates } from '@hansom/domain/payments/payment'
import type { StartedPayment } from '../../adapters/payments/port.ts'
import type { PaymentRow } from './table.ts'

/** True if the provider may still decide. */
export function isOpen({ state }: Pick<PaymentRow, 'state'>): boolean {
  return (openPaymentStates as readonly string[]).includes(state)
}

/** The attempt in the form that provider calls take. */
export function startedOf(row: PaymentRow): StartedPayment {
  const { reference, amount, currency, provider_ref, provider_id } = row
  return { reference, amount, currency, providerRef: provider_ref, providerId: provider_id }
}
