import type { CheckoutView, AdminPayment, PaymentView } from '@hansom/contract/payments'
import type { PaymentRow } from './table.ts'

/** An attempt as its payer sees it. */
export function paymentView(row: PaymentRow): PaymentView {
  return {
    id: row.id,
    provider: row.provider,
    live: row.live,
    order: row.booking ?? row.top_up ?? row.id,
    kind: row.booking === null ? 'top_up' : 'booking',
    booking: row.booking,
    booking_id: row.booking === null ? null : row.code,
    reference: row.reference,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    used_for: row.used_for,
    failure: row.failure && `payments.failure_${row.failure}`,
    created_at: row.created_at,
    paid_at: row.paid_at,
  }
}

/** Adds the remaining step in the payer's browser, and whether the attempt has lapsed. */
export function checkoutView(row: PaymentRow, lapsed: boolean): CheckoutView {
  return { ...paymentView(row), step: stepView(row), lapsed }
}

function stepView({ step }: PaymentRow): CheckoutView['step'] {
  if (step?.kind !== 'form') return step ?? null
  const { kind, action, fields } = step
  return { kind, action, fields: fields.map(([name, value]) => ({ name, value })) }
}

export function adminPaymentView(row: PaymentRow): AdminPayment {
  const { payer, payer_name, provider_id, refunded, differs, found } = row
  return { ...paymentView(row), payer, payer_name, provider_id, refunded, differs, found }
}
