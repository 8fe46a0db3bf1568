import type { Booking } from './booking.ts'
import type { Effect, NotificationScreen } from './decision.ts'

/** Notifications about a trip; their texts are in the language packs under `notify.<notice>.title` and `.msg`. */
export const notices = [
  'new_booking',
  'next_trip',
  'accepted',
  'driver_near',
  'arrived_far',
  'ended_far',
  'trip_started',
  'parcel_delivered',
  'parcel_returned',
  'drop_failed',
  'drop_failed_too',
  'delivery_ended',
  'stop_far',
  'stop_unseen',
  'stop_unsigned',
  'otp_wrong',
  'payment_due',
  'rider_paid',
  'driver_credited',
  'rated',
  'booking_cancelled',
  'looking_again',
  'driver_withdrawn',
  'trip_withdrawn',
  'booking_changed',
  'trip_changed',
  'search_again',
  'payment_expired',
  'not_paid',
  'outstanding_not_paid',
  'objected',
  'objection_decided',
  'return_objected',
  'return_decided',
] as const
export type Notice = (typeof notices)[number]

/** A stored notification for one user about a booking. */
export function notify(
  booking: Booking,
  user: string,
  notice: Notice,
  screen: NotificationScreen,
  params: Record<string, string> = {},
): Extract<Effect, { kind: 'notify' }> {
  return {
    kind: 'notify',
    user,
    title: `notify.${notice}.title`,
    msg: `notify.${notice}.msg`,
    params: { booking_id: booking.booking_id, ...params },
    screen,
  }
}
