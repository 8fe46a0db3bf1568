import type { Booking } from '../bookings/booking.ts'
import { type BookingStatus, contactStatuses } from '../bookings/status.ts'
import type { Relation } from './relation.ts'

/** The relations that see a field, and the statuses in which they do (null: always). */
export interface FieldRule {
  to: readonly Relation[]
  in: readonly BookingStatus[] | null
  /** Value shown to everyone else: 0 for amounts that are never null, otherwise null. */
  hidden: null | 0
}

const all: readonly Relation[] = ['rider', 'driver', 'requested', 'fleetadmin', 'admin']
const parties: readonly Relation[] = ['rider', 'driver', 'fleetadmin', 'admin']
const earners: readonly Relation[] = ['driver', 'requested', 'fleetadmin', 'admin']

const see = (to: readonly Relation[], within: readonly BookingStatus[] | null = null): FieldRule => ({
  to,
  in: within,
  hidden: null,
})
const money = (to: readonly Relation[]): FieldRule => ({ to, in: null, hidden: 0 })

/** The fields of a booking that leave the server, each with its viewers. Fields not listed here never leave. */
export const bookingFields = {
  id: see(all),
  booking_id: see(all),
  version: see(all),
  status: see(all),
  car_type_id: see(all),
  carType: see(all),
  carImage: see(all),
  decimal: see(all),
  convert_to_mile: see(all),
  currency: see(all),

  customer: see(parties),
  customer_name: see(parties),
  customer_contact: see(['driver'], contactStatuses),
  customer_email: see(['rider', 'admin']),
  customer_image: see(parties),

  driver: see(parties),
  driver_name: see(parties),
  driver_image: see(parties),
  driver_contact: see(['rider'], contactStatuses),
  vehicle_number: see(parties),
  vehicle_make: see(parties),
  vehicle_model: see(parties),
  driverRating: see(parties),
  fleetadmin: see(['fleetadmin', 'admin']),

  pickup: see(all),
  drop: see(all),
  route: see(all),
  estimate: see(all),
  estimateDistance: see(all),
  estimateTime: see(all),
  distance: see(parties),
  distance_filled: see(parties),

  tripdate: see(all),
  bookingDate: see(all),
  bookLater: see(all),
  accepted_at: see(parties),
  promised_arrival: see(parties),
  driver_arrive_time: see(parties),
  arrival_received_at: see(parties),
  trip_start_time: see(parties),
  trip_end_time: see(parties),
  total_trip_time: see(parties),
  closed_at: see(parties),

  otp: see(['rider'], ['NEW', 'ACCEPTED', 'ARRIVED']),
  otp_blocked_until: see(['rider', 'driver'], ['ARRIVED']),

  booking_type_admin: see(all),
  reason: see(parties),
  cancelledBy: see(parties),
  cancellation_fee: money(parties),

  trip_cost: see(all),
  fare_parts: see(all),
  convenience_fees: see(all),
  driver_share: see(earners),
  discount_amount: money(['rider', 'admin']),
  customer_paid: money(['rider', 'admin']),
  payment_mode: see(all),
  gateway: see(['rider', 'admin']),
  prepaid: see(all),
  cashPaymentAmount: money(parties),
  cardPaymentAmount: money(['rider', 'admin']),
  usedWalletMoney: money(['rider', 'admin']),
  payableAmount: money(all),
  outstanding_amount: see(['rider', 'admin']),
  outstanding_collected: money(['rider', 'driver', 'admin']),
  cash_answer: see(['rider', 'driver', 'admin']),
  objection: see(['rider', 'driver', 'admin']),
  promo_applied: see(all),
  promo_details: see(['rider', 'admin']),

  rating: see(parties),
  feedback: see(['rider', 'driver', 'admin']),
  rider_rating: see(['driver', 'admin']),

  rebooked_from: see(['rider', 'admin']),
  rebooked_as: see(['rider', 'admin']),
} as const satisfies Partial<Record<keyof Booking, FieldRule>>

export type VisibleField = keyof typeof bookingFields

/** Internal fields: agreed prices, and bookkeeping of codes, objections and dispatch. */
export const internalFields = [
  'fare_rule',
  'cancel_slab',
  'contested_amount',
  'otp_tries',
  'promo_id',
  'excluded_drivers',
  'wave',
] as const satisfies readonly (keyof Booking)[]
