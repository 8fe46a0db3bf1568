import { bookingStatuses } from '@hansom/domain/bookings/status'
import { stopOutcomes } from '@hansom/domain/deliveries/delivery'
import { paymentProviders } from '@hansom/domain/payments/providers'
import { refundSources, refundStates } from '@hansom/domain/wallet/refund'
import { z } from 'zod'
import { base } from './base.ts'
import { amount, id, instant } from './shapes.ts'

const taxLine = z.object({ name: z.string(), rate: z.int(), base: amount, amount })

/** The price of a trip part by part, how the rider paid it and what was refunded. Distances km, durations s. */
export const receipt = z.object({
  booking: id,
  /** The receipt's number, such as H-2026-000042: without gaps in each year. */
  serial: z.string(),
  /** The booking code. */
  number: z.string(),
  issued_at: instant,
  status: z.enum(bookingStatuses),
  currency: z.string(),
  decimal: z.int(),
  /** The issuer; name, address and tax number are those of the day of issue. */
  operator: z.object({
    name: z.string(),
    address: z.string(),
    tax_number: z.string(),
    website: z.string(),
    email: z.string(),
  }),
  /** A guest has no email address. */
  rider: z.object({ name: z.string(), email: z.string().nullable() }),
  driver: z.object({ name: z.string(), vehicle: z.string() }).nullable(),
  carType: z.string(),
  from: z.string(),
  to: z.string(),
  /** Parcel type and option of a delivery; empty for a trip. */
  parcel: z.array(z.string()),
  /** The drops of a delivery in visiting order, once their end is known; empty for a trip. */
  stops: z.array(z.object({ address: z.string(), outcome: z.enum(stopOutcomes).nullable() })),
  begun_at: instant.nullable(),
  ended_at: instant.nullable(),
  distance: z.number().nullable(),
  seconds: z.number().nullable(),
  /** Each a text key and an amount: the parts add up to the total; the total minus the discount is the amount due. */
  lines: z.array(z.object({ key: z.string(), amount, kind: z.enum(['part', 'total', 'less', 'due']) })),
  /** The tax that the amount due contains, by rate (percent scaled by 10^4); `base` is the amount without it. */
  tax: z.array(taxLine),
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
  /** Earlier debt that the rider paid with this trip; not part of its price. */
  outstanding: amount,
  /** Amount the rider has paid minus refunds, including pending ones. */
  net: amount,
  /** The tax in `net`; empty without refunds. */
  net_tax: z.array(taxLine),
})
export type Receipt = z.infer<typeof receipt>

export const receiptsContract = {
  /** For the booking's rider and admins. Throws not_found, and wrong_status while nothing was paid. */
  show: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/receipt', tags: ['payments'] })
    .input(z.strictObject({ id }))
    .output(receipt),
  /** Sends the receipt to the rider's own email address. Throws not_found, wrong_status. */
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
