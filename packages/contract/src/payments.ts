import { paymentStates, paymentUses } from '@hansom/domain/payments/payment'
import { paymentProviders } from '@hansom/domain/payments/providers'
import { z } from 'zod'
import { base } from './base.ts'
import { paymentsTableSpec } from './payments-table.ts'
import { amount, id, instant, maxMoney, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** A provider that can take a card payment. */
export const paymentProvider = z.object({
  name: z.enum(paymentProviders),
  /** URL to post an order's form to. */
  link: z.string(),
  /** False: it does not support this amount or currency. */
  takes: z.boolean(),
  /** False: a sandbox, no real money. */
  live: z.boolean(),
})
export type PaymentProviderView = z.infer<typeof paymentProvider>

/** An order to pay by card: a booking, or a top-up of the user's own wallet. */
export const paymentOrder = z.object({
  id,
  kind: z.enum(['booking', 'top_up']),
  /** The booking; null for a top-up. */
  booking: id.nullable(),
  booking_id: z.string().nullable(),
  amount,
  currency: z.string(),
  /** Fields to post to a provider's link, in this order. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  providers: z.array(paymentProvider),
})
export type PaymentOrder = z.infer<typeof paymentOrder>

/** The next step for the payer's browser; null when nothing is left to do. */
export const checkoutStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('redirect'), url: z.string() }),
  z.object({
    kind: z.literal('form'),
    action: z.string(),
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  z.object({ kind: z.literal('page'), data: z.record(z.string(), z.string()) }),
])

/** One payment attempt, as its payer sees it. */
export const payment = z.object({
  id,
  provider: z.enum(paymentProviders),
  live: z.boolean(),
  order: id,
  kind: z.enum(['booking', 'top_up']),
  booking: id.nullable(),
  booking_id: z.string().nullable(),
  reference: z.string(),
  amount,
  currency: z.string(),
  state: z.enum(paymentStates),
  /** How captured money was used; null until known. */
  used_for: z.enum(paymentUses).nullable(),
  /** Reason of the failure as a text key; null otherwise. */
  failure: z.string().nullable(),
  created_at: instant,
  paid_at: instant.nullable(),
})
export type PaymentView = z.infer<typeof payment>

/** The attempt with the step for the checkout page. */
export const checkout = payment.extend({
  step: checkoutStep.nullable(),
  /** The order is no longer due in this form: money that still arrives goes to the payer's wallet. */
  lapsed: z.boolean(),
})
export type CheckoutView = z.infer<typeof checkout>

/** An attempt in the admin table. */
export const adminPayment = payment.extend({
  payer: id,
  payer_name: z.string(),
  provider_id: z.string().nullable(),
  refunded: amount,
  /** For `mismatch`: the fields in which the provider's report differs from ours. */
  differs: z.array(z.string()),
  /** The values the provider reports. */
  found: z
    .object({
      reference: z.string(),
      providerId: z.string(),
      amount,
      currency: z.string(),
      live: z.boolean(),
    })
    .nullable(),
})
export type AdminPayment = z.infer<typeof adminPayment>

/** A configured payment provider, for admins. */
export const cardService = z.object({
  name: z.enum(paymentProviders),
  /** False: a sandbox, no real money. */
  live: z.boolean(),
  /** The currency of the installation, and whether this account supports it. */
  currency: z.string(),
  takes: z.boolean(),
  /** The URL to set up for webhooks in the provider's dashboard. */
  webhook: z.string(),
  /** False: refunds are made in the provider's dashboard. */
  refunds: z.boolean(),
  /** Number of its webhooks that failed verification since the server started. */
  refused: z.int(),
})
export type CardService = z.infer<typeof cardService>

export const paymentsContract = {
  /** The configured payment providers, without secrets. */
  services: base
    .route({ method: 'GET', path: '/api/v1/payments/services', tags: ['payments'] })
    .output(z.array(cardService)),
  /**
   * The order for a booking or a top-up of the user's own, with every provider that can take it. Throws not_found,
   * already_paid, wrong_status, no_provider_found.
   */
  order: base
    .route({ method: 'GET', path: '/api/v1/payments/orders/{order}', tags: ['payments'] })
    .input(z.strictObject({ order: id }))
    .output(paymentOrder),
  /** Creates an order to top up the user's own wallet. Throws no_details_error, no_provider_found. */
  topUp: base
    .route({ method: 'POST', path: '/api/v1/me/top-ups', tags: ['payments'], successStatus: 201 })
    .input(z.strictObject({ amount: amount.max(maxMoney) }))
    .output(z.object({ order: id })),
  /** The user's own attempt, with the next step. */
  show: base
    .route({ method: 'GET', path: '/api/v1/payments/{payment}', tags: ['payments'] })
    .input(z.strictObject({ payment: id }))
    .output(checkout),
  /** Submits the result of an embedded payment form. `challenge`: the payer has to authenticate further. */
  complete: base
    .route({ method: 'POST', path: '/api/v1/payments/{payment}/complete', tags: ['payments'] })
    .input(z.strictObject({ payment: id, input: z.record(z.string().max(60), z.string().max(8000)) }))
    .output(z.object({ payment: checkout, challenge: z.record(z.string(), z.string()).nullable() })),
  /** The payer abandons an attempt; the provider is queried for its state first. */
  giveUp: base
    .route({ method: 'POST', path: '/api/v1/payments/{payment}/give-up', tags: ['payments'] })
    .input(z.strictObject({ payment: id }))
    .output(checkout),
  /** The attempts of a booking, for its rider and admins. */
  ofBooking: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/payments', tags: ['payments'] })
    .input(z.strictObject({ id }))
    .output(z.object({ items: z.array(payment) })),
  /** The admin table of attempts. */
  list: base
    .route({ method: 'GET', path: '/api/v1/payments', tags: ['payments'] })
    .input(tableInput(paymentsTableSpec))
    .output(pageOf(adminPayment)),
  count: base
    .route({ method: 'GET', path: '/api/v1/payments/count', tags: ['payments'] })
    .input(tableCountInput(paymentsTableSpec))
    .output(tableCount),
}
