import { Refusal } from '../error-keys.ts'
import { distanceText } from '../geo/distance-unit.ts'
import type { Outcome } from './decision.ts'
import { effectiveTime } from './effective-time.ts'
import type { Facts, InputOf } from './facts.ts'
import { farAway } from './far-away.ts'
import { notify } from './notices.ts'

/** The driver is at the pickup. If they report it from far away, the rider sees the distance. */
export function arrive(
  { booking, settings, silence }: Facts,
  input: InputOf<'arrive'>,
  now: number,
): Outcome {
  const km = farAway(booking.pickup, input.location)
  return {
    to: 'ARRIVED',
    changes: { driver_arrive_time: effectiveTime(booking, input.at, now, silence), arrival_received_at: now },
    effects: [
      km === null
        ? notify(booking, booking.customer, 'driver_near', 'BookedCab')
        : notify(booking, booking.customer, 'arrived_far', 'BookedCab', {
            distance: distanceText(km, settings.convert_to_mile),
          }),
    ],
  }
}

const otpTries = 5
const otpWaitMs = 60_000

/**
 * The trip begins. A booking with a code requires it: after five wrong attempts the driver waits 60 s and the rider is
 * notified. A wrong code is an outcome, not a refusal, because the attempt must be counted.
 */
export function start({ booking, silence }: Facts, input: InputOf<'start'>, now: number): Outcome | Refusal {
  if (booking.otp !== null) {
    const until = booking.otp_blocked_until
    if (until !== null && now < until) return new Refusal('otp_wait', { data: { until } })
    if (input.otp !== booking.otp) return wrongOtp(booking, now)
  }
  const at = effectiveTime(booking, input.at, now, silence)
  return {
    to: 'STARTED',
    changes: { trip_start_time: at, otp_tries: 0, otp_blocked_until: null },
    effects: [
      ...(input.location
        ? [{ kind: 'track_point' as const, status: 'STARTED' as const, at, point: input.location }]
        : []),
      notify(booking, booking.customer, 'trip_started', 'BookedCab'),
    ],
  }
}

function wrongOtp(booking: Facts['booking'], now: number): Outcome {
  const tries = booking.otp_tries + 1
  if (tries < otpTries) {
    return {
      changes: { otp_tries: tries },
      refused: new Refusal('wrong_otp', { data: { left: otpTries - tries } }),
    }
  }
  const until = now + otpWaitMs
  return {
    changes: { otp_tries: 0, otp_blocked_until: until },
    effects: [notify(booking, booking.customer, 'otp_wrong', 'BookedCab')],
    refused: new Refusal('otp_wait', { data: { until } }),
  }
}
