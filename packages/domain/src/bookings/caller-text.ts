import type { Booking } from './booking.ts'
import type { BookingEvent } from './decision.ts'

/**
 * Occasions of text messages about a trip: to callers, whose trip the office booked, and to riders who want them.
 */
export const callerTexts = [
  'accepted',
  'arrived',
  'replaced',
  'changed',
  'cancelled',
  'no_driver',
  'reminder',
] as const
export type CallerText = (typeof callerTexts)[number]

type Change = Pick<BookingEvent, 'command' | 'from' | 'to'> & { by: Pick<BookingEvent['by'], 'role'> }

/**
 * The text that a change of a booking calls for; null for most changes, and for trips that riders booked themselves unless
 * they want texts. Reminders are not changes.
 */
export function callerTextFor(
  booking: Pick<Booking, 'booking_type_admin' | 'rebooked_as'>,
  { command, from, to, by }: Change,
  wantsTexts = false,
): CallerText | null {
  if (!booking.booking_type_admin && !wantsTexts) return null
  // A rider who edits the trip in the app knows it.
  if (command === 'change') return by.role === 'rider' ? null : 'changed'
  if (from === to) return null
  if (command === 'accept') return 'accepted'
  if (command === 'arrive') return 'arrived'
  if (command === 'find_no_driver') return 'no_driver'
  if (to === 'NEW' && (from === 'ACCEPTED' || from === 'ARRIVED')) return 'replaced'
  if (to !== 'CANCELLED') return null
  if (booking.rebooked_as !== null) return 'replaced'
  // A rider who cancels in the app knows it.
  return by.role === 'rider' ? null : 'cancelled'
}
