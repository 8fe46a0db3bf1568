import { bookingStatuses } from '@hansom/domain/bookings/status'
import { paymentProviders } from '@hansom/domain/payments/providers'
import { refundSources, refundStates } from '@hansom/domain/wallet/refund'
import { z } from 'zod'
import { base } from './base.ts'
import { amount, id, instant } from './shapes.ts'

/** What a trip has cost its rider, part by part, how it was paid and what has gone back. Distances km, durations s. */
export const receipt = z.object({
  booking: id,
  /** The receipt's number: what people call the booking. */
  number: z.string(),
  issued_at: instant,
  status: z.enum(bookingStatuses),
  currency: z.string(),
  decimal: z.int(),
  /** Who issues it. */
  operator: z.object({ name: z.string(), website: z.string(), email: z.string() }),
  rider: z.object({ name: z.string(), email: z.string() }),
  driver: z.object({ name: z.string(), vehicle: z.string() }).nullable(),
  carType: z.string(),
  from: z.string(),
  to: z.string(),
  begun_at: instant.nullable(),
  ended_at: instant.nullable(),
  distance: z.number().nullable(),
  seconds: z.number().nullable(),
  /** Each a text key and an amount: the parts sum to the total, the total less the discount is what was due. */
  lines: z.array(z.object({ key: z.string(), amount, kind: z.enum(['part', 'total', 'less', 'due']) })),
  paid: z.array(
    z.object({
      key: z.string(),
      amount,
      provider: z.enum(paymentProviders).nullable(),
      reference: z.string().nullable(),
    }),
  ),
  refunds: z.array(
    z.object({
      id,
      at: instant,
      amount,
      source: z.enum(refundSources),
      state: z.enum(refundStates),
      reason: z.string(),
    }),
  ),
  /** What the rider owed before and paid with this trip; not part of its price. */
  outstanding: amount,
  /** What the rider has paid less what has gone back or is on its way. */
  net: amount,
})
export type Receipt = z.infer<typeof receipt>

export const receiptsContract = {
  /** For the rider of a booking and admins. Throws not_found, and wrong_status while nothing was paid. */
  show: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/receipt', tags: ['payments'] })
    .input(z.strictObject({ id }))
    .output(receipt),
  /** Sends the receipt to the rider's own address. Throws not_found, wrong_status. */
  mail: base
    .route({
      method: 'POST',
      path: '/api/v1/bookings/{id}/receipt/mail',
      tags: ['payments'],
      successStatus: 202,
    })
    .input(z.strictObject({ id }))
    .output(z.object({ to: z.string() })),
}
