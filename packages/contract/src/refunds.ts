import { paymentProviders } from '@hansom/domain/payments/providers'
import { refundBearers, refundOrigins, refundSources, refundStates } from '@hansom/domain/wallet/refund'
import { z } from 'zod'
import { base } from './base.ts'
import { refundsOffer } from './refunds-table.ts'
import { officePayment } from './payments.ts'
import { amount, id, instant, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** Money that goes back, or has gone back. */
export const refund = z.object({
  id,
  at: instant,
  booking: id.nullable(),
  /** What people call the booking or the top-up. */
  code: z.string(),
  payment: id.nullable(),
  provider: z.enum(paymentProviders).nullable(),
  /** Who began it. Elsewhere than in the office it has no reason of ours. */
  origin: z.enum(refundOrigins),
  source: z.enum(refundSources),
  rider: id,
  rider_name: z.string(),
  amount,
  currency: z.string(),
  bearer: z.enum(refundBearers),
  reason: z.string(),
  state: z.enum(refundStates),
  /** What the provider said when it refused, or why somebody has to look there. */
  failure: z.string().nullable(),
  ended_at: instant.nullable(),
  /** What the provider keeps for a dispute; the platform bears it. */
  fee: amount,
})
export type RefundView = z.infer<typeof refund>

/** What can be given back. `left`: at most so much more. `by_hand`: the provider offers no way but its own pages. */
export const refundable = z.object({
  source: z.enum(refundSources),
  payment: id.nullable(),
  provider: z.enum(paymentProviders).nullable(),
  paid: amount,
  refunded: amount,
  left: amount,
  bearers: z.array(z.enum(refundBearers)),
  by_hand: z.boolean(),
})
export type Refundable = z.infer<typeof refundable>

const disputed = z.object({
  sources: z.array(refundable),
  refunds: z.array(refund),
  /** What the rider has not paid yet of the booking's fee; it may be waived. */
  open_fee: amount,
})
export type Disputed = z.infer<typeof disputed>

export const refundsContract = {
  /** What a booking's rider has paid, and what of it has gone back. */
  ofBooking: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/refunds', tags: ['payments'] })
    .input(z.strictObject({ id }))
    .output(disputed),
  /** The same of one card payment, also of one that lies in its payer's wallet. */
  ofPayment: base
    .route({ method: 'GET', path: '/api/v1/payments/{payment}/refunds', tags: ['payments'] })
    .input(z.strictObject({ payment: id }))
    .output(disputed),
  /**
   * Gives money back: a part or all of what a source paid. Throws not_found, wrong_status, no_details_error, reason_needed,
   * refund_too_much, refund_under_way, low_wallet.
   */
  ask: base
    .route({ method: 'POST', path: '/api/v1/refunds', tags: ['payments'], successStatus: 201 })
    .input(
      z.strictObject({
        /** The booking; for a card payment that paid none, null. */
        booking: id.nullable(),
        payment: id.nullable(),
        source: z.enum(refundSources),
        amount,
        bearer: z.enum(refundBearers),
        reason: z.string().trim().max(300),
      }),
    )
    .output(refund),
  /** An admin has looked at the provider and says how a refund ended. Throws not_found, wrong_status. */
  settle: base
    .route({ method: 'POST', path: '/api/v1/refunds/{id}/settle', tags: ['payments'] })
    .input(z.strictObject({ id, outcome: z.enum(['confirmed', 'failed']) }))
    .output(refund),
  /**
   * What a provider reports of a payment is not what was asked for: an admin takes what came, for the payer's wallet, or says
   * that it went back in the provider's pages. Throws not_found, wrong_status.
   */
  settlePayment: base
    .route({ method: 'POST', path: '/api/v1/payments/{payment}/settle', tags: ['payments'] })
    .input(z.strictObject({ payment: id, outcome: z.enum(['wallet', 'given_back']) }))
    .output(officePayment),
  /**
   * Keeps money that went back at the provider where nobody has told of it: a refund in its own pages, or what the payer's
   * bank demands, which waits until that is decided. Throws not_found, wrong_status, no_details_error, refund_too_much.
   */
  record: base
    .route({
      method: 'POST',
      path: '/api/v1/payments/{payment}/went-back',
      tags: ['payments'],
      successStatus: 201,
    })
    .input(
      z.strictObject({
        payment: id,
        origin: z.enum(['provider', 'chargeback']),
        amount,
        /** What the provider keeps for a dispute. */
        fee: amount.default(0),
        reason: z.string().trim().max(300),
      }),
    )
    .output(refund),
  /** Says what a provider keeps for a dispute by now: nothing, once it has given the fee back. Throws not_found, wrong_status, no_details_error. */
  setFee: base
    .route({ method: 'POST', path: '/api/v1/refunds/{id}/fee', tags: ['payments'] })
    .input(z.strictObject({ id, fee: amount }))
    .output(refund),
  list: base
    .route({ method: 'GET', path: '/api/v1/refunds', tags: ['payments'] })
    .input(tableInput(refundsOffer))
    .output(pageOf(refund)),
  count: base
    .route({ method: 'GET', path: '/api/v1/refunds/count', tags: ['payments'] })
    .input(tableCountInput(refundsOffer))
    .output(tableCount),
}
