import { createHmac } from 'node:crypto'
import type { Amount } from '@hansom/domain/money/amount'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { timingSafeEqualText } from '../http.ts'
import type { RefundResult } from '../port.ts'
import { fromUnits } from '../units.ts'

/** Paystack expresses every currency in hundredths, even those without decimals. */
export const exponent = 2

const id = z.union([z.number(), z.string()]).transform(String)

export const transaction = z.object({
  id,
  reference: z.string(),
  /** `test` or `live`. */
  domain: z.string(),
  status: z.string(),
  /** The paid amount, including the fee if the payer bears it. */
  amount: z.int(),
  /** The requested amount. */
  requested_amount: z.int().nullish(),
  currency: z.string(),
})

export const refund = z.object({
  id: id.optional(),
  amount: z.int(),
  status: z.string(),
})

type PaystackRefund = z.infer<typeof refund>

/** Maps a transaction to a payment state. An `abandoned` one may still be paid. */
export function foundBy(data: z.infer<typeof transaction>): ReportedPayment {
  const { status, requested_amount, amount } = data
  if (status === 'failed') return { state: 'failed' }
  if (status !== 'success' && status !== 'reversed') return { state: 'pending' }
  // If the payer bears the fee, the paid amount exceeds the requested one.
  const requested = Math.min(requested_amount ?? amount, amount)
  return {
    state: status === 'success' ? 'paid' : 'refunded',
    reference: data.reference,
    providerId: data.id,
    amount: fromUnits(requested, exponent),
    currency: data.currency,
    live: data.domain === 'live',
  }
}

export function refundResultOf({ id: refundId, status }: PaystackRefund): RefundResult {
  if (status === 'failed') return { state: 'failed', why: 'paystack: failed' }
  return { state: status === 'processed' ? 'done' : 'pending', providerRefundId: refundId ?? null }
}

/** The sum of refunds that are processed or pending, and of processed ones only, 10^-4. */
export function refundTotals(refunds: readonly PaystackRefund[]): { requested: Amount; completed: Amount } {
  const sumOf = (counts: (status: string) => boolean) =>
    refunds
      .filter(({ status }) => counts(status))
      .reduce((sum, { amount }) => sum + fromUnits(amount, exponent), 0)
  return {
    requested: sumOf((status) => status !== 'failed'),
    completed: sumOf((status) => status === 'processed'),
  }
}

/** Lower-case hexadecimal HMAC-SHA512 of the raw body, keyed with the secret key (documentation "Webhooks"). */
export function paystackSignature(body: Buffer, secretKey: string): string {
  return createHmac('sha512', secretKey).update(body).digest('hex')
}

export function isSigned(body: Buffer, signature: string | undefined, secretKey: string): boolean {
  return secretKey !== '' && timingSafeEqualText(signature ?? '', paystackSignature(body, secretKey))
}
