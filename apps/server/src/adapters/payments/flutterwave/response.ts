import { createHmac } from 'node:crypto'
import type { Amount } from '@hansom/domain/money/amount'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { timingSafeEqualText } from '../http.ts'
import type { IncomingMessage, RefundResult } from '../port.ts'
import { fromNumber } from '../units.ts'

/** A Flutterwave transaction; the amount is in currency units. */
export const transaction = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  tx_ref: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
})

type FlutterwaveTransaction = z.infer<typeof transaction>

export const refund = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  tx_id: z.union([z.number(), z.string()]).transform(String).optional(),
  status: z.string(),
  /** A number or a string, rounded to our four decimals. */
  amount_refunded: z.coerce.number().transform((amount) => Number(amount.toFixed(4))),
})

type FlutterwaveRefund = z.infer<typeof refund>

/**
 * Maps a transaction to a payment state. A failed one may still be paid later: the payer may try another card on the
 * same page.
 */
export function foundBy({ status, ...data }: FlutterwaveTransaction, live: boolean): ReportedPayment {
  if (status === 'failed') return { state: 'failed' }
  if (status !== 'successful') return { state: 'pending' }
  return {
    state: 'paid',
    reference: data.tx_ref,
    providerId: data.id,
    amount: fromNumber(data.amount),
    currency: data.currency,
    live,
  }
}

/** Only `completed` and `failed` are final; any other status is pending. */
export function refundResultOf({ id, status }: FlutterwaveRefund): RefundResult {
  if (status === 'failed') return { state: 'failed', why: 'flutterwave: failed' }
  return { state: status === 'completed' ? 'done' : 'pending', providerRefundId: id }
}

/** The sum of a transaction's refunds that are completed or pending, and of completed ones only, 10^-4. */
export function refundTotals(
  refunds: readonly FlutterwaveRefund[],
  transactionId: string,
): { requested: Amount; completed: Amount } {
  const sumOf = (counts: (status: string) => boolean) =>
    refunds
      .filter(({ tx_id, status }) => tx_id === transactionId && counts(status))
      .reduce((sum, { amount_refunded }) => sum + fromNumber(amount_refunded), 0)
  return {
    requested: sumOf((status) => status !== 'failed'),
    completed: sumOf((status) => status === 'completed'),
  }
}

/** The version 4 header: base64 HMAC-SHA256 of the raw body, keyed with the secret hash. */
export function flutterwaveSignature(body: Buffer, secretHash: string): string {
  return createHmac('sha256', secretHash).update(body).digest('base64')
}

/**
 * Whether a webhook is signed, in either form: `verif-hash` is the secret hash itself (documentation "Webhooks" of
 * version 3, the vendor's WooCommerce plugin), `flutterwave-signature` is calculated from the body. Which one an
 * account sends is not verified with the vendor.
 */
export function isSigned({ headers, body }: IncomingMessage, secretHash: string): boolean {
  if (secretHash === '') return false
  const signature = headers['flutterwave-signature']
  if (signature !== undefined) return timingSafeEqualText(signature, flutterwaveSignature(body, secretHash))
  return timingSafeEqualText(headers['verif-hash'] ?? '', secretHash)
}
