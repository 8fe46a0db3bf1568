import { paymentProviders } from '@hansom/domain/payments/providers'
import { refundBearers, refundOrigins, refundSources, refundStates } from '@hansom/domain/wallet/refund'
import { z } from 'zod'
import { base } from './base.ts'
import { adminPayment } from './payments.ts'
import { refundsTableSpec } from './refunds-table.ts'
import { amount, id, instant, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** A refund, requested or completed. */
export const refund = z.object({
  id,
  at: instant,
  booking: id.nullable(),
  /** Code of the booking or top-up. */
  code: z.string(),
  payment: id.nullable(),
  provider: z.enum(paymentProviders).nullable(),
  /** Who started it. Refunds started outside the back office have no reason from an admin. */
  origin: z.enum(refundOrigins),
  source: z.enum(refundSources),
  rider: id,
  rider_name: z.string(),
  amount,
  currency: z.string(),
  bearer: z.enum(refundBearers),
  reason: z.string(),
  state: z.enum(refundStates),
  /** The provider's reason for refusing, or why an admin has to check with the provider. */
  failure: z.string().nullable(),
  ended_at: instant.nullable(),
  /** The provider's dispute fee; the platform bears it. */
  fee: amount,
})
export type RefundView = z.infer<typeof refund>

/**
 * Refundable amounts. `left`: the most that can still be refunded. `by_hand`: the provider supports refunds only in its
 * dashboard.
 */
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
  /** With the name of the admin who asked for each; null if the provider reported it. */
  refunds: z.array(refund.extend({ by_name: z.string().nullable() })),
  /** The part of the booking's fee the rider has not paid yet; it may be waived. */
  open_fee: amount,
})
export type Disputed = z.infer<typeof disputed>

export const refundsContract = {
  /** What a booking's rider has paid, and what was refunded. */
  ofBooking: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/refunds', tags: ['payments'] })
    .input(z.strictObject({ id }))
    .output(disputed),
  /** The same for one card payment, including one credited to its payer's wallet. */
  ofPayment: base
    .route({ method: 'GET', path: '/api/v1/payments/{payment}/refunds', tags: ['payments'] })
    .input(z.strictObject({ payment: id }))
    .output(disputed),
  /**
   * Refunds a part or all of what a source paid. Throws not_found, wrong_status, no_details_error, reason_needed,
   * refund_too_much, refund_under_way, low_wallet.
   */
  ask: base
    .route({ method: 'POST', path: '/api/v1/refunds', tags: ['payments'], successStatus: 201 })
    .input(
      z.strictObject({
        /** The booking; null for a card payment that paid no booking. */
        booking: id.nullable(),
        payment: id.nullable(),
        source: z.enum(refundSources),
        amount,
        bearer: z.enum(refundBearers),
        reason: z.string().trim().max(300),
      }),
    )
    .output(refund),
  /** An admin records how a refund ended after checking with the provider. Throws not_found, wrong_status. */
  settle: base
    .route({ method: 'POST', path: '/api/v1/refunds/{id}/settle', tags: ['payments'] })
    .input(z.strictObject({ id, outcome: z.enum(['confirmed', 'failed']) }))
    .output(refund),
  /**
   * Resolves a mismatch between the provider's report and the requested payment: an admin credits the received amount
   * to the payer's wallet, or records that it was refunded in the provider's dashboard. Throws not_found, wrong_status.
   */
  settlePayment: base
    .route({ method: 'POST', path: '/api/v1/payments/{payment}/settle', tags: ['payments'] })
    .input(z.strictObject({ payment: id, outcome: z.enum(['wallet', 'given_back']) }))
    .output(adminPayment),
  /**
   * Records money returned by the provider without notice: a refund in its dashboard, or a chargeback, which stays
   * pending until it is decided. Throws not_found, wrong_status, no_details_error, refund_too_much.
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
        /** The provider's dispute fee. */
        fee: amount.default(0),
        reason: z.string().trim().max(300),
      }),
    )
    .output(refund),
  /**
   * Updates the provider's dispute fee; 0 once the provider has returned it. Throws not_found, wrong_status,
   * no_details_error.
   */
  setFee: base
    .route({ method: 'POST', path: '/api/v1/refunds/{id}/fee', tags: ['payments'] })
    .input(z.strictObject({ id, fee: amount }))
    .output(refund),
  list: base
    .route({ method: 'GET', path: '/api/v1/refunds', tags: ['payments'] })
    .input(tableInput(refundsTableSpec))
    .output(pageOf(refund)),
  count: base
    .route({ method: 'GET', path: '/api/v1/refunds/count', tags: ['payments'] })
    .input(tableCountInput(refundsTableSpec))
    .output(tableCount),
}
