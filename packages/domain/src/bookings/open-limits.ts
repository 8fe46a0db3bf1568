import type { ErrorKey } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'
import type { BookingStatus } from './status.ts'

/** A booking that takes up a place: its trip is still to come or under way. */
export const placeTakingStatuses = [
  'PAYMENT_PENDING',
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
] as const satisfies readonly BookingStatus[]

/** How many of their own bookings a rider has open. Those an admin made are not among them. */
export interface OpenBookings {
  now: number
  later: number
  /** Those for which drivers are being asked. */
  searching: number
}

/** The most a rider may have open at once: each asks ten drivers and more. */
export const mostOpen = { now: 5, later: 20, searching: 2, deliveries: 500 } as const

/**
 * Whether drivers may be asked for a trip that was booked for later, now that it is due, while they are asked for so many
 * others of its rider: immediate ones, and later ones that were due before it.
 */
export function maySearch(
  others: number,
  { bookLater, booking_type_admin }: { bookLater: boolean; booking_type_admin: boolean },
  category: Settings['category'],
): boolean {
  return category === 'delivery' || booking_type_admin || !bookLater || others < mostOpen.searching
}

/** Why a rider with so many open bookings may not make another one; null when they may. */
export function openLimitRefusal(
  open: OpenBookings,
  { bookLater, category }: { bookLater: boolean; category: Settings['category'] },
): Extract<ErrorKey, 'too_many_bookings' | 'too_many_searches'> | null {
  if (category === 'delivery') return open.now + open.later < mostOpen.deliveries ? null : 'too_many_bookings'
  if (bookLater) return open.later < mostOpen.later ? null : 'too_many_bookings'
  if (open.now >= mostOpen.now) return 'too_many_bookings'
  return open.searching < mostOpen.searching ? null : 'too_many_searches'
}
