import type { ErrorKey } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'

/** The setting that says how long before a Book Later trip its drivers are asked. */
type LeadTime = { dispatch: Pick<Settings['dispatch'], 'leadMinutes'> }

/** How far ahead a Book Later trip must be, at least, ms. */
export const bookLaterLeadMs = 15 * 60_000

/** How far ahead a Book Later trip may be, at most, ms: prices and car types may change after that. */
export const bookLaterLimitMs = 90 * 24 * 60 * 60_000

/** How long a driver waits at the pickup before the rider counts as a no-show, ms. */
export const noShowWaitMs = 5 * 60_000

/** A driver is free soon if the rest of the trip takes at most this long, s. */
export const soonFreeS = 600
/** Time to end a trip at the drop, s. */
export const endTripS = 60

/** How long a driver whom an admin assigned is asked alone while automatic dispatch is on, ms. */
export const assignedAnswerMs = 60_000

/** The same for a driver who first has to end a trip: the longest rest of a trip after which a driver is free soon. */
export const nextTripAnswerMs = (soonFreeS + endTripS) * 1000 + assignedAnswerMs

const offeredStepMs = 5 * 60_000
/** Time to send the request, ms. */
const sendingMs = 30_000

/** The earliest Book Later time that a form offers at `now`: still valid when sent, rounded up to five minutes. */
export function earliestTrip(now: number): number {
  return Math.ceil((now + bookLaterLeadMs + sendingMs) / offeredStepMs) * offeredStepMs
}

/** Why a Book Later trip cannot be at `tripdate`, or null. An invalid time (NaN) counts as too early. */
export function laterTimeRefusal(tripdate: number, now: number): ErrorKey | null {
  if (!(tripdate >= now + bookLaterLeadMs)) return 'past_booking_error'
  return tripdate > now + bookLaterLimitMs ? 'too_far_ahead' : null
}

/** When drivers are asked for a trip: immediately, or for Book Later `leadMinutes` before it, never in the past. */
export function dispatchAt(
  trip: { bookLater: boolean; tripdate: number },
  settings: LeadTime,
  now: number,
): number {
  return Math.max(now, askedAt(trip, settings) ?? now)
}

/** When drivers are asked for a Book Later trip, regardless of the current time; null for Book Now. */
export function askedAt(trip: { bookLater: boolean; tripdate: number }, settings: LeadTime): number | null {
  return trip.bookLater ? trip.tripdate - settings.dispatch.leadMinutes * 60_000 : null
}

/** True when a trip's drivers may be asked now. */
export function isDispatchDue(
  trip: { bookLater: boolean; tripdate: number },
  settings: LeadTime,
  now: number,
): boolean {
  return dispatchAt(trip, settings, now) <= now
}

/**
 * When a driver who accepts now and needs `driveSeconds` promises to be at the pickup, epoch ms. For Book Later that is
 * the booked time, unless the drive takes longer: the rider expects no one before.
 */
export function promisedArrival(
  trip: { bookLater: boolean; tripdate: number },
  now: number,
  driveSeconds: number,
): number {
  const there = now + Math.round(Math.max(0, driveSeconds) * 1000)
  return trip.bookLater ? Math.max(there, trip.tripdate) : there
}
