import { cashDueAt, takeCash } from '../deliveries/cash.ts'
import { collect } from '../deliveries/courier-steps.ts'
import { movedStops } from '../deliveries/new-delivery.ts'
import { isDispatchDue, promisedArrival } from '../dispatch/timing.ts'
import { type ErrorKey, Refusal } from '../error-keys.ts'
import { distanceText } from '../geo/distance-unit.ts'
import { mayCollect } from '../users/eligibility.ts'
import { callNumberFor } from './call-number.ts'
import type { Outcome } from './decision.ts'
import { effectiveTime } from './effective-time.ts'
import type { DriverFacts, Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { farAway } from './reach.ts'

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
 * notified. A wrong code is an outcome, not a refusal, because the attempt must be counted. A delivery needs the proofs of its
 * pickup, and the cash to be collected there.
 */
export function start(facts: Facts, input: InputOf<'start'>, now: number): Outcome | Refusal {
  const { booking, delivery, silence } = facts
  const at = effectiveTime(booking, input.at, now, silence)
  const pickup = collect(facts, input, at)
  if (pickup instanceof Refusal) return pickup
  if (booking.otp !== null) {
    const until = booking.otp_blocked_until
    if (until !== null && now < until) return new Refusal('otp_wait', { data: { until } })
    if (input.otp !== booking.otp) return wrongOtp(booking, now)
  }
  const cash = takeCash(
    booking,
    delivery && pickup && cashDueAt(booking, delivery, { ...pickup, outcome: null }),
    input.cash,
  )
  if (cash instanceof Refusal) return cash
  return {
    ...cash,
    to: 'STARTED',
    stops: pickup ? [pickup] : [],
    changes: { ...cash.changes, trip_start_time: at, otp_tries: 0, otp_blocked_until: null },
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

/** A requested driver takes the trip and becomes busy. */
export function accept(facts: Facts, input: InputOf<'accept'>, now: number): Outcome | Refusal {
  const { booking, delivery, driver, by } = facts
  if (!driver || driver.id !== by.id) return new Refusal('not_found')
  const wrong = refusalOf(facts, driver, now)
  if (wrong) return new Refusal(wrong)
  const promised_arrival = promisedArrival(booking, now, input.driveSeconds)
  // The plan assumed that a courier would be found soon.
  const late = Math.max(0, promised_arrival - (delivery?.stops[0]?.planned_at ?? promised_arrival))
  return {
    to: 'ACCEPTED',
    stops: delivery && late > 0 ? movedStops(delivery, late) : [],
    changes: {
      driver: driver.id,
      driver_name: driver.name,
      driver_image: driver.image,
      driver_contact: driver.contact,
      call_number: callNumberFor(facts.lines, booking.customer_contact, driver.contact),
      vehicle_number: driver.vehicle_number,
      vehicle_make: driver.vehicle_make,
      vehicle_model: driver.vehicle_model,
      driverRating: driver.rating,
      fleetadmin: driver.fleetadmin,
      accepted_at: now,
      promised_arrival,
    },
    effects: [
      { kind: 'claim_driver', driver: driver.id },
      { kind: 'remove_requests' },
      notify(booking, booking.customer, 'accepted', 'BookedCab', { driver_name: driver.name }),
    ],
  }
}

function refusalOf(facts: Facts, driver: DriverFacts, now: number): ErrorKey | null {
  const { booking, requested, settings } = facts
  if (!requested.includes(driver.id) || !isDispatchDue(booking, settings, now)) return 'not_requested'
  if (!driver.approved) return 'require_approval'
  if (driver.queue) return 'already_busy'
  if (!driver.driverActiveStatus) return 'not_online'
  const need = { ...settings, payment_mode: booking.payment_mode }
  return mayCollect(driver.walletBalance, need) ? null : 'low_wallet'
}
