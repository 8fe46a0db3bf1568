import type { LatLng } from '../geo/point.ts'
import type { TypeOf } from '../shape.ts'
import type { ActorRole } from '../users/roles.ts'
import type { BookingRecord, promoDetails } from './fields.ts'

/** A place of a booking: the point and its street address. */
export interface PlacePoint extends LatLng {
  add: string
}

/** Reason for "the rider did not come"; the only one with which a driver can charge the cancellation fee. */
export const riderNoShow = 'rider_no_show'

/**
 * A booking in its one shape from store to view, a row of the table: see `bookingFields`. Names are the public ones.
 * Amounts are integers of 10^-4 of the currency unit, distances km, durations s, times epoch ms.
 */
export interface Booking extends BookingRecord {}

/**
 * The terms of a promo copied to the booking. `promo_discount_value` is an amount or a percentage, both scaled by 10^4.
 */
export type PromoDetails = TypeOf<typeof promoDetails>

/** The giver of a command. `id` is null for the platform itself. */
export interface CommandAuthor {
  role: ActorRole
  id: string | null
}
