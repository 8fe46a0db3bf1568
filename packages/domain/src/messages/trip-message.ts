import type { Booking } from '../bookings/booking.ts'
import type { BookingEvent } from '../bookings/decision.ts'
import { isOneOf } from '../bookings/status.ts'
import type { MailTopic } from './topics.ts'

/** Emails about a trip; their texts are in the language packs under `mail.trip_<message>`. */
export const tripMessages = [
  'booked',
  'changed',
  'reminder',
  'driver',
  'arrived',
  'cancelled',
  'no_driver',
] as const
export type TripMessage = (typeof tripMessages)[number]

/** The preference that an email belongs to. */
export const topicOf: Readonly<Record<TripMessage, MailTopic>> = {
  booked: 'booking',
  changed: 'booking',
  cancelled: 'booking',
  no_driver: 'booking',
  reminder: 'reminder',
  driver: 'driver',
  arrived: 'driver',
}

/** How long before a Book Later trip its rider is reminded, ms. */
export const reminderLeadMs = 60 * 60_000
/** A reminder that would follow the booking or its last change sooner than this is left out, ms. */
const reminderGapMs = 30 * 60_000

type Trip = Pick<Booking, 'bookLater' | 'rebooked_from' | 'rebooked_as'>
type Change = Pick<BookingEvent, 'command' | 'from' | 'to'>

/**
 * The email that a change of a booking calls for, or null. Edits and cancellations are mailed only for a Book Later trip,
 * whose calendar entry they change: riders follow an immediate trip in the app.
 */
export function tripMessageFor(trip: Trip, { command, from, to }: Change): TripMessage | null {
  if (isNewlyBooked({ command, from, to })) {
    // A booking that replaces another one is the same trip to its rider.
    return trip.rebooked_from === null ? 'booked' : null
  }
  if (command === 'accept') return 'driver'
  if (command === 'arrive') return 'arrived'
  if (command === 'find_no_driver') return 'no_driver'
  if (!trip.bookLater) return null
  if (command === 'change') return to === 'PAYMENT_PENDING' ? null : 'changed'
  const wasBooked = from !== null && from !== 'PAYMENT_PENDING' && from !== 'CANCELLED'
  return to === 'CANCELLED' && wasBooked && trip.rebooked_as === null ? 'cancelled' : null
}

/** True when drivers may take the trip from now on: it was created, or paid in advance. */
function isNewlyBooked({ command, from, to }: Change): boolean {
  return (command === 'create' && to === 'NEW') || (from === 'PAYMENT_PENDING' && to === 'NEW')
}

/** When the rider is to be reminded, epoch ms, as of a change of the booking at `now`; null for no reminder. */
export function reminderAt(
  trip: Pick<Booking, 'bookLater' | 'tripdate'>,
  change: Change,
  now: number,
): number | null {
  if (
    !trip.bookLater ||
    !(isNewlyBooked(change) || change.command === 'create' || change.command === 'change')
  )
    return null
  if (!isOneOf(['NEW', 'ACCEPTED'], change.to)) return null
  const at = trip.tripdate - reminderLeadMs
  return at - now >= reminderGapMs ? at : null
}

/**
 * True while an email still says how things are at `now`, epoch ms. `tripdate` is that of the reminder's job: after a
 * change of the time, another one reminds.
 */
export function isTripMessageDue(
  { status, tripdate }: Pick<Booking, 'status' | 'tripdate'>,
  message: TripMessage,
  { now, tripdate: reminded }: { now: number; tripdate: number | null },
): boolean {
  const isAhead = isOneOf(['NEW', 'ACCEPTED'], status)
  switch (message) {
    case 'booked':
    case 'changed':
      return isAhead || (message === 'changed' && isOneOf(['ARRIVED', 'STARTED'], status))
    case 'reminder':
      return isAhead && tripdate === reminded && now < tripdate
    case 'driver':
      return status === 'ACCEPTED'
    case 'arrived':
      return status === 'ARRIVED'
    case 'cancelled':
    case 'no_driver':
      return status === 'CANCELLED'
  }
}
