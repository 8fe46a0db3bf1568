import type { LatLng } from '../geo/point.ts'
import type { TypeOf } from '../shape.ts'
import type { Actor } from '../users/roles.ts'
import type { BookingRecord, promoDetails } from './fields.ts'

/** A place of a booking: the point and its street address. */
export interface PlacePoint extends LatLng {
  add: string
}

export const paymentModes = ['cash', 'wallet', 'card', 'wallet_card'] as const
export type PaymentMode = (typeof paymentModes)[number]

/** Who cancelled a booking (`cancelledBy`). */
export const cancellers = ['rider', 'driver', 'admin', 'system'] as const
export type Canceller = (typeof cancellers)[number]

/** A driver's answer at the end of a cash trip: the rider paid all of it, the trip alone, or nothing. */
export const cashAnswers = ['all', 'trip', 'nothing'] as const
export type CashAnswer = (typeof cashAnswers)[number]

/**
 * The state of a rider's objection to the driver's answer. `open` until an admin decides it; `withdrawn` once the rider
 * paid after all.
 */
export const objectionStates = ['open', 'paid', 'not_paid', 'written_off', 'withdrawn'] as const
export type ObjectionState = (typeof objectionStates)[number]

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
export interface Commander {
  actor: Actor
  id: string | null
}
