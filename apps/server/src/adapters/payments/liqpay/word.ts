import type { FoundPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { fromNumber } from '../units.ts'

/** What LiqPay says of a payment: in its messages and in answers to `status` and `refund`. */
export const liqpayWord = z.object({
  public_key: z.string().optional(),
  action: z.string().optional(),
  status: z.string(),
  order_id: z.coerce.string(),
  payment_id: z.coerce.string().optional(),
  amount: z.coerce.number(),
  currency: z.string(),
  refund_amount: z.coerce.number().optional(),
})
export type LiqpayWord = z.infer<typeof liqpayWord>

/** An answer that names no payment, or one that could not be given. */
export const liqpayTrouble = z.object({
  result: z.string().optional(),
  status: z.string().optional(),
  err_code: z.string().optional(),
})

/**
 * The states of the documentation's page "Payment status". `sandbox` is a payment of the test mode; what is not listed
 * waits: for the payer, for the bank, or for LiqPay's own check of the shop.
 */
export function foundBy(word: LiqpayWord, test: boolean): FoundPayment {
  const { status } = word
  if (status === 'failure' || status === 'error') return { state: 'failed' }
  if (status !== 'success' && status !== 'sandbox' && status !== 'reversed') return { state: 'pending' }
  return {
    state: status === 'reversed' ? 'refunded' : 'paid',
    reference: word.order_id,
    providerId: word.payment_id ?? word.order_id,
    amount: fromNumber(word.amount),
    currency: word.currency,
    live: !test && status !== 'sandbox',
  }
}

/** What has been given back in all, 10^-4; null when LiqPay does not say. */
export function givenBack(word: LiqpayWord): number | null {
  if (word.refund_amount !== undefined) return fromNumber(word.refund_amount)
  return word.status === 'reversed' ? fromNumber(word.amount) : null
}
