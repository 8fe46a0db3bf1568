import { paymentStates, paymentUses } from '@hansom/domain/payments/payment'
import { paymentProviders } from '@hansom/domain/payments/providers'
import { z } from 'zod'
import { base } from './base.ts'
import { paymentsOffer } from './payments-table.ts'
import { amount, id, instant, mostMoney, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** Somebody who can take a card payment. */
export const paymentProvider = z.object({
  name: z.enum(paymentProviders),
  /** Where the form of an order is posted to. */
  link: z.string(),
  /** False: it does not take this amount of this currency. */
  takes: z.boolean(),
  /** False: a sandbox, no real money. */
  live: z.boolean(),
})
export type PaymentProviderView = z.infer<typeof paymentProvider>

/** What is to be paid by card: a booking, or a top-up of the own wallet. */
export const paymentOrder = z.object({
  id,
  kind: z.enum(['booking', 'top_up']),
  /** The booking; null for a top-up. */
  booking: id.nullable(),
  booking_id: z.string().nullable(),
  amount,
  currency: z.string(),
  /** What is posted to a provider's link, in this order. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  providers: z.array(paymentProvider),
})
export type PaymentOrder = z.infer<typeof paymentOrder>

/** What the payer's browser does next; null when nothing is left to do there. */
export const checkoutStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('redirect'), url: z.string() }),
  z.object({
    kind: z.literal('form'),
    action: z.string(),
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  z.object({ kind: z.literal('page'), data: z.record(z.string(), z.string()) }),
])

/** One attempt to pay, as its payer sees it. */
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
  /** What became of captured money; null until it is known. */
  used_for: z.enum(paymentUses).nullable(),
  /** Why it failed, as a text key; null otherwise. */
  failure: z.string().nullable(),
  created_at: instant,
  paid_at: instant.nullable(),
})
export type PaymentView = z.infer<typeof payment>

/** The attempt with what the checkout page carries out. */
export const checkout = payment.extend({
  step: checkoutStep.nullable(),
  /** What it was begun for is not due any more, or not so: money that still comes goes to the payer's wallet. */
  lapsed: z.boolean(),
})
export type CheckoutView = z.infer<typeof checkout>

/** An attempt in the table of the office. */
export const officePayment = payment.extend({
  payer: id,
  payer_name: z.string(),
  provider_id: z.string().nullable(),
  refunded: amount,
  /** In what the provider's word differs from ours, for `mismatch`. */
  differs: z.array(z.string()),
  /** What the provider reports there. */
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
export type OfficePayment = z.infer<typeof officePayment>

/** Somebody who is set up to take cards, as the office looks after it. */
export const cardService = z.object({
  name: z.enum(paymentProviders),
  /** False: a sandbox, no real money. */
  live: z.boolean(),
  /** The currency of the installation, and whether this account takes it. */
  currency: z.string(),
  takes: z.boolean(),
  /** Where the provider's messages come in: what is set up in its pages. */
  webhook: z.string(),
  /** False: refunds are made in its own pages. */
  refunds: z.boolean(),
  /** How many of its messages were not believed since the server started. */
  refused: z.int(),
})
export type CardService = z.infer<typeof cardService>

export const paymentsContract = {
  /** Who is set up to take cards, without a secret. */
  services: base
    .route({ method: 'GET', path: '/api/v1/payments/services', tags: ['payments'] })
    .output(z.array(cardService)),
  /**
   * What a booking or a top-up of one's own needs to be paid by card now, with everybody who can take it. Throws not_found,
   * already_paid, wrong_status, no_provider_found.
   */
  order: base
    .route({ method: 'GET', path: '/api/v1/payments/orders/{order}', tags: ['payments'] })
    .input(z.strictObject({ order: id }))
    .output(paymentOrder),
  /** The wish to put money into the own wallet. It is an order then. Throws no_details_error, no_provider_found. */
  topUp: base
    .route({ method: 'POST', path: '/api/v1/me/top-ups', tags: ['payments'], successStatus: 201 })
    .input(z.strictObject({ amount: amount.max(mostMoney) }))
    .output(z.object({ order: id })),
  /** One's own attempt, with what is left to do. */
  show: base
    .route({ method: 'GET', path: '/api/v1/payments/{payment}', tags: ['payments'] })
    .input(z.strictObject({ payment: id }))
    .output(checkout),
  /** Hands over what an embedded page has made. `challenge`: the payer has to prove something more. */
  complete: base
    .route({ method: 'POST', path: '/api/v1/payments/{payment}/complete', tags: ['payments'] })
    .input(z.strictObject({ payment: id, input: z.record(z.string().max(60), z.string().max(8000)) }))
    .output(z.object({ payment: checkout, challenge: z.record(z.string(), z.string()).nullable() })),
  /** The payer gives an attempt up; the provider is asked first. */
  giveUp: base
    .route({ method: 'POST', path: '/api/v1/payments/{payment}/give-up', tags: ['payments'] })
    .input(z.strictObject({ payment: id }))
    .output(checkout),
  /** The attempts of a booking: for its rider and admins. */
  ofBooking: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/payments', tags: ['payments'] })
    .input(z.strictObject({ id }))
    .output(z.object({ items: z.array(payment) })),
  /** The office's table of attempts. */
  list: base
    .route({ method: 'GET', path: '/api/v1/payments', tags: ['payments'] })
    .input(tableInput(paymentsOffer))
    .output(pageOf(officePayment)),
  count: base
    .route({ method: 'GET', path: '/api/v1/payments/count', tags: ['payments'] })
    .input(tableCountInput(paymentsOffer))
    .output(tableCount),
}
