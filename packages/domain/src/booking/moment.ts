import type { Booking } from './booking.ts'

/** A step that comes later than this is taken for one of this long ago, ms. */
export const oldestStepMs = 6 * 3_600_000

type Moments = Pick<Booking, 'accepted_at' | 'driver_arrive_time' | 'trip_start_time' | 'trip_end_time'>

/**
 * When a step of a trip was taken, epoch ms. A step that waited for the line says so itself (`at`); it is believed
 * between the step before it and `now`, and at most six hours back. Without a word it is now.
 */
export function momentOf(booking: Moments, at: number | undefined, now: number): number {
  if (at === undefined) return now
  const { accepted_at, driver_arrive_time, trip_start_time, trip_end_time } = booking
  const before = [accepted_at, driver_arrive_time, trip_start_time, trip_end_time]
  return Math.min(now, Math.max(at, now - oldestStepMs, ...before.map((moment) => moment ?? 0)))
}
