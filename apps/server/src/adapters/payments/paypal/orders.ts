import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import type { ProviderResponse } from '../http.ts'
import { type Checkout, PaymentError } from '../port.ts'
import { type Exponent, fromText, toText } from '../units.ts'

const money = z.object({ currency_code: z.string(), value: z.string().regex(/^\d{1,11}(\.\d{1,4})?$/) })

const refund = z.object({
  id: z.string(),
  status: z.string(),
  amount: money.optional(),
  custom_id: z.string().optional(),
})

const capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: money,
  custom_id: z.string().optional(),
})

/** The fields of an order that we read (openapi/checkout_orders_v2.json). */
const order = z.object({
  id: z.string(),
  status: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().optional(),
        payments: z
          .object({ captures: z.array(capture).default([]), refunds: z.array(refund).default([]) })
          .optional(),
      }),
    )
    .default([]),
})

export type PaypalOrder = z.infer<typeof order>
export type PaypalRefund = z.infer<typeof refund>

export const paypalRefund = refund

/** Throws PaymentError if the response is not an order. */
export function readOrder(answer: ProviderResponse): PaypalOrder {
  const read = order.safeParse(answer.json)
  if (!read.success) throw new PaymentError('paypal returned an unreadable order', { permanent: false })
  return read.data
}

/** The body of a new order. `invoice_id` makes PayPal refuse a second payment of the same attempt. */
export function orderOf(checkout: Checkout): Record<string, unknown> {
  const { reference, amount, currency, description, returnUrl } = checkout
  const decimals = paypalDecimals(currency)
  if (decimals === undefined)
    throw new PaymentError(`paypal does not support ${currency}`, { permanent: true })
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        custom_id: reference,
        invoice_id: reference,
        description: description.slice(0, 127),
        amount: { currency_code: currency, value: toText(amount, decimals) },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: returnUrl,
          cancel_url: `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}cancelled=1`,
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          landing_page: 'NO_PREFERENCE',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        },
      },
    },
  }
}

/** Maps an order to a payment state; an approved order still has to be captured. */
export function foundIn({ status, purchase_units: [unit] }: PaypalOrder, live: boolean): ReportedPayment {
  const captures = unit?.payments?.captures ?? []
  const taken = captures.find((one) => ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(one.status))
  if (taken) {
    return {
      state: taken.status === 'REFUNDED' ? 'refunded' : 'paid',
      reference: taken.custom_id ?? unit?.custom_id ?? '',
      providerId: taken.id,
      amount: fromText(taken.amount.value),
      currency: taken.amount.currency_code,
      live,
    }
  }
  if (captures.some((one) => one.status === 'PENDING')) return { state: 'pending' }
  if (captures.length > 0 || status === 'VOIDED') return { state: 'failed' }
  return status === 'APPROVED' ? { state: 'pending', complete: {} } : { state: 'pending' }
}

/** Whether a capture was attempted. */
export function isCaptured({ purchase_units: [unit] }: PaypalOrder): boolean {
  return (unit?.payments?.captures ?? []).length > 0
}

const twoDecimals =
  'AUD BRL CAD CNY CZK DKK EUR HKD ILS MYR MXN NZD NOK PHP PLN GBP RUB SGD SEK CHF THB USD'.split(' ')
const noDecimals = 'HUF JPY TWD'.split(' ')

/** The number of decimals PayPal uses for a currency (page "Currency codes"); undefined if unsupported. */
export function paypalDecimals(currency: string): Exponent | undefined {
  if (noDecimals.includes(currency)) return 0
  return twoDecimals.includes(currency) ? 2 : undefined
}
