import type { ErrorKey } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'
import type { BookingStatus } from './status.ts'

/** Statuses that count towards the limit: the trip is still to come or in progress. */
export const placeTakingStatuses = [
  'PAYMENT_PENDING',
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
] as const satisfies readonly BookingStatus[]

/** Numbers of a rider's own open bookings. Those an admin made do not count. */
export interface OpenBookings {
  now: number
  later: number
  /** Bookings for which drivers are being asked. */
  searching: number
}

/** The most a rider may have open at the same time: each asks ten drivers or more. */
export const maxOpen = { now: 5, later: 20, searching: 2, deliveries: 500 } as const

/**
 * Whether drivers may be asked for a due Book Later trip while other trips of its rider are searching: immediate ones,
 * and later ones that were due before it.
 */
export function maySearch(
  others: number,
  { bookLater, booking_type_admin }: { bookLater: boolean; booking_type_admin: boolean },
  category: Settings['category'],
): boolean {
  return category === 'delivery' || booking_type_admin || !bookLater || others < maxOpen.searching
}

/** The refusal of a rider who has too many open bookings; null when they may make another. */
export function openLimitRefusal(
  open: OpenBookings,
  { bookLater, category }: { bookLater: boolean; category: Settings['category'] },
): Extract<ErrorKey, 'too_many_bookings' | 'too_many_searches'> | null {
  if (category === 'delivery') return open.now + open.later < maxOpen.deliveries ? null : 'too_many_bookings'
  if (bookLater) return open.later < maxOpen.later ? null : 'too_many_bookings'
  if (open.now >= maxOpen.now) return 'too_many_bookings'
  return open.searching < maxOpen.searching ? null : 'too_many_searches'
}
