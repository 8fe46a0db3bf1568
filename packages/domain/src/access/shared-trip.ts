import type { Booking } from '../bookings/booking.ts'
import { type VisibleField, viewShape } from '../bookings/fields.ts'
import { type BookingStatus, bookingStatuses, isOneOf } from '../bookings/status.ts'
import { choice } from '../shape.ts'

/** The statuses in which a trip link works; the link ends with the trip. */
export const sharedStatuses = [
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
] as const satisfies readonly BookingStatus[]

/** The fields a trip link shows to anyone who has it: the route and the car, no person and no contact. */
export const sharedFields = [
  'status',
  'tripdate',
  'carType',
  'vehicle_number',
  'vehicle_make',
  'vehicle_model',
  'pickup',
  'drop',
  'route',
  'estimateTime',
  'promised_arrival',
  'trip_start_time',
] as const satisfies readonly VisibleField[]

type SharedField = (typeof sharedFields)[number]

export const sharedShape = {
  ...(Object.fromEntries(sharedFields.map((field) => [field, viewShape[field]])) as Pick<
    typeof viewShape,
    SharedField
  >),
  status: choice(bookingStatuses),
}
type SharedTrip = Pick<Booking, SharedField>

/** The view of a booking by its trip link; null once the trip has ended, and before it is paid for. */
export function sharedTrip(booking: Booking): SharedTrip | null {
  if (!isOneOf(sharedStatuses, booking.status)) return null
  return Object.fromEntries(sharedFields.map((field) => [field, booking[field]])) as unknown as SharedTrip
}
