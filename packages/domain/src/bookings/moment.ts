import type { Booking } from './booking.ts'

/** A step that comes later than this is taken for one of this long ago, ms. */
export const oldestStepMs = 6 * 3_600_000
/** How long after a driver is heard again the steps of the silence may still come, ms: a phone sends them one by one. */
export const lateStepsMs = 2 * 60_000

/** A time in which the server did not hear from a driver, epoch ms. */
export interface Silence {
  from: number
  to: number
}

type Moments = Pick<Booking, 'accepted_at' | 'driver_arrive_time' | 'trip_start_time' | 'trip_end_time'>

/**
 * When a step of a trip was taken, epoch ms. A step that waited for the connection says so itself (`at`). It is believed
 * as far back as the server did not hear from the driver, not before the step before it, and at most six hours back.
 * Otherwise the server's time counts.
 */
export function momentOf(
  booking: Moments,
  at: number | undefined,
  now: number,
  silence: Silence | null,
): number {
  if (at === undefined || silence === null || at > silence.to || now > silence.to + lateStepsMs) return now
  const { accepted_at, driver_arrive_time, trip_start_time, trip_end_time } = booking
  const before = [accepted_at, driver_arrive_time, trip_start_time, trip_end_time]
  return Math.min(now, Math.max(at, silence.from, now - oldestStepMs, ...before.map((moment) => moment ?? 0)))
}
