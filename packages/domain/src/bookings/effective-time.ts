import type { Booking } from './booking.ts'

/** The farthest back a step can be dated, ms. */
export const oldestStepMs = 6 * 3_600_000
/** How long after contact is restored late steps are still accepted, ms: a phone sends them one by one. */
export const lateStepsMs = 2 * 60_000

/** A period without contact to a driver, epoch ms. */
export interface ContactLoss {
  from: number
  to: number
}

type Moments = Pick<Booking, 'accepted_at' | 'driver_arrive_time' | 'trip_start_time' | 'trip_end_time'>

/**
 * When a step of a trip was taken, epoch ms. A step that waited for the connection carries its time (`at`). It is
 * trusted within the period without contact, not before the previous step, and at most six hours back. Otherwise the
 * server's time counts.
 */
export function effectiveTime(
  booking: Moments,
  at: number | undefined,
  now: number,
  silence: ContactLoss | null,
): number {
  if (at === undefined || silence === null || at > silence.to || now > silence.to + lateStepsMs) return now
  const { accepted_at, driver_arrive_time, trip_start_time, trip_end_time } = booking
  const before = [accepted_at, driver_arrive_time, trip_start_time, trip_end_time]
  return Math.min(now, Math.max(at, silence.from, now - oldestStepMs, ...before.map((moment) => moment ?? 0)))
}
