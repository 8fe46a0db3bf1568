import type { Amount } from '@hansom/domain/money/amount'
import type { FoundPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import type { RefundAnswer } from '../port.ts'
import { fromNumber } from '../units.ts'

/** What flutterwave says of a transaction; the amount in currency units. */
export const transaction = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  tx_ref: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
})

export type FlutterwaveTransaction = z.infer<typeof transaction>

export const refund = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  tx_id: z.union([z.number(), z.string()]).transform(String).optional(),
  status: z.string(),
  /** As a number or as text, rounded to what we can hold. */
  amount_refunded: z.coerce.number().transform((amount) => Number(amount.toFixed(4))),
})

export type FlutterwaveRefund = z.infer<typeof refund>

/** Our reading of a transaction. A failed one can still be paid: the payer may try another card on the same page. */
export function foundBy({ status, ...word }: FlutterwaveTransaction, live: boolean): FoundPayment {
  if (status === 'failed') return { state: 'failed' }
  if (status !== 'successful') return { state: 'pending' }
  return {
    state: 'paid',
    reference: word.tx_ref,
    providerId: word.id,
    amount: fromNumber(word.amount),
    currency: word.currency,
    live,
  }
}

/** Only `completed` and `failed` are ends; every other word is on the way. */
export function refundAnswer({ id, status }: FlutterwaveRefund): RefundAnswer {
  if (status === 'failed') return { state: 'failed', why: 'flutterwave: failed' }
  return { state: status === 'completed' ? 'done' : 'pending', providerRefundId: id }
}

/** What refunds of a transaction have given back or are about to, and what they have given back for good, 10^-4. */
export function givenBack(
  refunds: readonly FlutterwaveRefund[],
  transactionId: string,
): { asked: Amount; ended: Amount } {
  const sumOf = (counts: (status: string) => boolean) =>
    refunds
      .filter(({ tx_id, status }) => tx_id === transactionId && counts(status))
      .reduce((sum, { amount_refunded }) => sum + fromNumber(amount_refunded), 0)
  return {
    asked: sumOf((status) => status !== 'failed'),
    ended: sumOf((status) => status === 'completed'),
  }
}
