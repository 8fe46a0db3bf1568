import type { CancelSlab, FareParts, FareRule } from '../fare/fare-rule.ts'
import type { LatLng } from '../geo/point.ts'
import type { Amount } from '../money/amount.ts'
import type { Actor } from '../users/roles.ts'
import type { BookingStatus } from './status.ts'

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
 * A booking in its one shape from store to view, a row of the table. Names are the public ones. Amounts are integers of
 * 10^-4 of the currency unit, distances km, durations s, times epoch ms.
 */
export interface Booking {
  id: string
  /** Six characters that are easy to read aloud. */
  booking_id: string
  /** Incremented with every change; an older version never wins. */
  version: number
  status: BookingStatus

  car_type_id: string
  carType: string
  carImage: string | null
  fare_rule: FareRule
  cancel_slab: CancelSlab[]
  decimal: number
  convert_to_mile: boolean
  currency: string

  customer: string
  customer_name: string
  customer_contact: string | null
  customer_email: string
  customer_image: string | null

  driver: string | null
  driver_name: string | null
  driver_image: string | null
  driver_contact: string | null
  vehicle_number: string | null
  vehicle_make: string | null
  vehicle_model: string | null
  driverRating: number | null
  fleetadmin: string | null

  pickup: PlacePoint
  drop: PlacePoint
  /** The planned route as an encoded polyline (precision 5). */
  route: string
  estimate: Amount
  estimateDistance: number
  estimateTime: number
  /** Final distance in km, and the part of it filled with routed distance where the track had gaps. */
  distance: number | null
  distance_filled: number | null

  tripdate: number
  bookingDate: number
  bookLater: boolean
  accepted_at: number | null
  /** The time at which the driver promised, on acceptance, to be at the pickup. */
  promised_arrival: number | null
  driver_arrive_time: number | null
  /** When the server received the arrival; the no-show wait starts then. */
  arrival_received_at: number | null
  trip_start_time: number | null
  trip_end_time: number | null
  total_trip_time: number | null
  closed_at: number | null

  otp: string | null
  otp_tries: number
  otp_blocked_until: number | null

  booking_type_admin: boolean
  reason: string | null
  cancelledBy: Canceller | null
  cancellation_fee: Amount

  trip_cost: Amount
  convenience_fees: Amount
  driver_share: Amount
  fare_parts: FareParts
  discount_amount: Amount
  customer_paid: Amount
  payment_mode: PaymentMode
  gateway: string | null
  prepaid: boolean
  cashPaymentAmount: Amount
  cardPaymentAmount: Amount
  usedWalletMoney: Amount
  payableAmount: Amount
  /** The rider's outstanding amount to collect with this cash trip: fixed at REACHED, null before. */
  outstanding_amount: Amount | null
  /** The amount the rider paid with this trip in addition to its price. */
  outstanding_collected: Amount
  /** The driver's answer at the end of a cash trip. */
  cash_answer: CashAnswer | null
  objection: ObjectionState | null
  /** Earlier debt of the rider that is not collected while the objection is open. */
  contested_amount: Amount
  promo_applied: boolean
  promo_id: string | null
  promo_details: PromoDetails | null

  rating: number | null
  feedback: string | null
  rider_rating: number | null

  /** The booking this one replaces after its driver cancelled, and the one that replaced this one. */
  rebooked_from: string | null
  rebooked_as: string | null
  /** Drivers who are not asked again: they declined, or cancelled an ancestor. */
  excluded_drivers: string[]
  /** Number of waves of drivers asked. */
  wave: number
}

/**
 * The terms of a promo copied to the booking. `promo_discount_value` is an amount or a percentage, both scaled by 10^4.
 */
export interface PromoDetails {
  promo_name: string
  promo_discount_type: 'flat' | 'percentage'
  promo_discount_value: number
  max_promo_discount_value: Amount
  min_order: Amount
}

/** The giver of a command. `id` is null for the platform itself. */
export interface Commander {
  actor: Actor
  id: string | null
}
