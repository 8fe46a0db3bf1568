import type { FareParts } from '../fare/fare.ts'
import type { Entry } from '../wallet/ledger.ts'
import { promoPayment } from '../wallet/trip-entries.ts'
import { discountFields, dueOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Effect } from './decision.ts'

type PricedFields =
  | 'trip_cost'
  | 'convenience_fees'
  | 'driver_share'
  | 'fare_parts'
  | 'discount_amount'
  | 'promo_applied'
  | 'promo_id'
  | 'promo_details'
  | 'payableAmount'

/** A new price of a booking. */
export interface Repriced {
  changes: Pick<Booking, PricedFields>
  entries: Entry[]
  effects: Effect[]
}

/**
 * The booking at a new fare. A promo that no longer applies to the price is released. Of a trip paid in advance, the
 * promo's part of the escrow is adjusted (`step` makes the entry's key unique); the rider's part is settled at the end.
 */
export function repriced(booking: Booking, fare: FareParts, step: string): Repriced {
  const promo =
    booking.promo_id !== null && booking.promo_details
      ? { id: booking.promo_id, details: booking.promo_details }
      : null
  const fits = discountFields(fare.trip_cost, promo, booking.decimal)
  const isLost = promo !== null && fits.discount_amount === 0
  const discount = isLost ? discountFields(fare.trip_cost, null, booking.decimal) : fits
  const priced = { ...booking, trip_cost: fare.trip_cost, ...discount }
  return {
    changes: {
      trip_cost: fare.trip_cost,
      convenience_fees: fare.convenience_fees,
      driver_share: fare.driver_share,
      fare_parts: fare,
      ...discount,
      payableAmount: Math.max(0, dueOf(priced)),
    },
    entries: booking.prepaid
      ? promoPayment(booking.id, discount.discount_amount - booking.discount_amount, step)
      : [],
    effects: isLost ? [{ kind: 'release_promo', promo: promo.id }] : [],
  }
}
