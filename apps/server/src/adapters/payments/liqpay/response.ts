import { createHash } from 'node:crypto'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { timingSafeEqualText } from '../http.ts'
import { fromNumber } from '../units.ts'

/** LiqPay's data about a payment, in webhooks and in responses to `status` and `refund`. */
export const liqpayPayment = z.object({
  public_key: z.string().optional(),
  action: z.string().optional(),
  status: z.string(),
  order_id: z.coerce.string(),
  payment_id: z.coerce.string().optional(),
  amount: z.coerce.number(),
  currency: z.string(),
  refund_amount: z.coerce.number().optional(),
})
export type LiqpayPayment = z.infer<typeof liqpayPayment>

/** An error response, or one without a payment. */
export const liqpayError = z.object({
  result: z.string().optional(),
  status: z.string().optional(),
  err_code: z.string().optional(),
})

/**
 * The states from the documentation page "Payment status". `sandbox` is a test payment; unlisted states are pending:
 * waiting for the payer, the bank, or LiqPay's verification of the shop.
 */
export function foundBy(data: LiqpayPayment, test: boolean): ReportedPayment {
  const { status } = data
  if (status === 'failure' || status === 'error') return { state: 'failed' }
  if (status !== 'success' && status !== 'sandbox' && status !== 'reversed') return { state: 'pending' }
  return {
    state: status === 'reversed' ? 'refunded' : 'paid',
    reference: data.order_id,
    providerId: data.payment_id ?? data.order_id,
    amount: fromNumber(data.amount),
    currency: data.currency,
    live: !test && status !== 'sandbox',
  }
}

/** The total refunded amount, 10^-4; null if LiqPay does not report it. */
export function refundedTotal(data: LiqpayPayment): number | null {
  if (data.refund_amount !== undefined) return fromNumber(data.refund_amount)
  return data.status === 'reversed' ? fromNumber(data.amount) : null
}

/**
 * base64(sha1(private key + data + private key)), where data is the base64 text of the JSON as transmitted.
 * Source: LiqPay documentation, "Rules for the formation of a request" and "Callback".
 */
export function liqpaySignature(data: string, privateKey: string): string {
  return createHash('sha1')
    .update(privateKey + data + privateKey)
    .digest('base64')
}

/** An outgoing request: the JSON as base64, and its signature. */
export function signedRequest(content: object, privateKey: string): { data: string; signature: string } {
  const data = Buffer.from(JSON.stringify(content), 'utf8').toString('base64')
  return { data, signature: liqpaySignature(data, privateKey) }
}

/** The JSON of a signed message; null if the signature is invalid, undefined if the content is not JSON. */
export function readSigned(form: URLSearchParams, privateKey: string): unknown {
  const data = form.get('data') ?? ''
  if (!data || !timingSafeEqualText(form.get('signature') ?? '', liqpaySignature(data, privateKey)))
    return null
  try {
    return JSON.parse(Buffer.from(data, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
