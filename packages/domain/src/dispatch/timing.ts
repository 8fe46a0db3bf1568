import type { ErrorKey } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'

/** How far ahead a Book Later trip must be, ms. */
export const bookLaterLeadMs = 15 * 60_000

/** How far ahead a Book Later trip may be, ms: prices, cars and people are not promised for longer. */
export const bookLaterLimitMs = 90 * 24 * 60 * 60_000

/** Why a Book Later trip cannot be at `tripdate`, or null. What is no time at all (NaN) counts as too early. */
export function laterTimeRefusal(tripdate: number, now: number): ErrorKey | null {
  if (!(tripdate >= now + bookLaterLeadMs)) return 'past_booking_error'
  return tripdate > now + bookLaterLimitMs ? 'too_far_ahead' : null
}

/** When drivers are asked for a trip: at once, or for Book Later `leadMinutes` before it, never in the past. */
export function dispatchAt(
  trip: { bookLater: boolean; tripdate: number },
  settings: Pick<Settings, 'dispatch'>,
  now: number,
): number {
  return Math.max(now, askedAt(trip, settings) ?? now)
}

/** When drivers are asked for a Book Later trip, wherever `now` is; null for Book Now. */
export function askedAt(
  trip: { bookLater: boolean; tripdate: number },
  settings: Pick<Settings, 'dispatch'>,
): number | null {
  return trip.bookLater ? trip.tripdate - settings.dispatch.leadMinutes * 60_000 : null
}

/** True when a trip's drivers may be asked now. */
export function isDispatchDue(
  trip: { bookLater: boolean; tripdate: number },
  settings: Pick<Settings, 'dispatch'>,
  now: number,
): boolean {
  return dispatchAt(trip, settings, now) <= now
}

/**
 * When a driver who accepts now and needs `driveSeconds` promises to be at the pickup, epoch ms. For Book Later that
 * is the time that was booked, unless the way takes longer: nobody is awaited before.
 */
export function promisedArrival(
  trip: { bookLater: boolean; tripdate: number },
  now: number,
  driveSeconds: number,
): number {
  const there = now + Math.round(Math.max(0, driveSeconds) * 1000)
  return trip.bookLater ? Math.max(there, trip.tripdate) : there
}
