import { endingStatuses } from '../dispatch/board.ts'
import { assignedAnswerMs, dispatchAt, isDispatchDue, nextTripAnswerMs } from '../dispatch/timing.ts'
import { type ErrorKey, Refusal } from '../error-keys.ts'
import { mayCollect } from '../users/eligibility.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { DriverFacts, Facts, InputOf } from './facts.ts'
import { initialFields } from './fields.ts'
import { notify } from './notices.ts'
import { isOneOf } from './status.ts'

/**
 * An admin asks one driver of the booking's car type, instead of the drivers asked so far. From a trip with a driver, that
 * driver is released in the same step, which needs a reason. With automatic dispatch the request expires and the waves
 * continue; otherwise it does not expire. A Book Later trip assigned early reaches its driver when it is due, so the driver
 * does not have to be free now. A driver whose trip is about to end gets the request as the next trip: they can accept it
 * once they are free, and meanwhile no one else is asked.
 */
export function assignDriver(facts: Facts, input: InputOf<'assign_driver'>, now: number): Outcome | Refusal {
  const { booking, settings, driver, requested } = facts
  if (isUnseen(booking, input)) return new Refusal('conflict')
  const wrong = refusalOf(facts, input, now)
  if (wrong || !driver) return new Refusal(wrong ?? 'not_found')
  const reason = input.reason?.trim() || null
  const isDriven = booking.driver !== null
  if (isDriven && reason === null) return new Refusal('reason_needed')
  const isAskedAlone = requested.length === 1 && requested[0] === driver.id
  if (isAskedAlone && !settings.autoDispatch) return { to: 'NEW' }
  const asking = dispatchAt(booking, settings, now)
  const isNext = driver.queue && asking <= now
  const expires_at = settings.autoDispatch ? asking + (isNext ? nextTripAnswerMs : assignedAnswerMs) : null
  const released = isDriven
    ? release(booking, reason ?? '')
    : { changes: {}, effects: removals(requested.filter((id) => id !== driver.id)) }
  return {
    to: 'NEW',
    changes: released.changes,
    effects: [
      ...released.effects,
      { kind: 'ask_drivers', drivers: [driver.id], wave: isDriven ? 0 : booking.wave, expires_at },
      ...(expires_at === null ? [] : [{ kind: 'dispatch' as const, booking: booking.id, at: expires_at }]),
      asking <= now
        ? { ...notify(booking, driver.id, isNext ? 'next_trip' : 'new_booking', 'DriverTrips'), expires_at }
        : { kind: 'schedule', job: 'tell_assigned', at: asking },
    ],
    reason,
  }
}

/** The booking has changed since the admin saw it. */
const isUnseen = (booking: Booking, { version }: { version?: number | undefined }) =>
  version !== undefined && version !== booking.version

function refusalOf(
  { booking, settings, driver }: Facts,
  input: InputOf<'assign_driver'>,
  now: number,
): ErrorKey | null {
  if (!driver || driver.id !== input.driver || driver.usertype !== 'driver' || !driver.approved) {
    return 'not_found'
  }
  if (driver.carType !== booking.car_type_id) return 'select_proper'
  const need = { ...settings, payment_mode: booking.payment_mode }
  if (!mayCollect(driver.walletBalance, need)) return 'low_wallet'
  if (!isDispatchDue(booking, settings, now)) return null
  if (driver.queue && !isEndingTrip(driver)) return 'already_busy'
  return driver.driverActiveStatus ? null : 'not_online'
}

const isEndingTrip = ({ trip }: DriverFacts) => trip !== null && isOneOf(endingStatuses, trip.status)

/**
 * An admin takes the trip from its driver, or withdraws the open requests. Those drivers are not asked again by the waves,
 * which start again at once; without automatic dispatch the booking waits for an admin.
 */
export function withdrawDriver(
  { booking, settings, requested }: Facts,
  input: InputOf<'withdraw_driver'>,
  now: number,
): Outcome | Refusal {
  if (isUnseen(booking, input)) return new Refusal('conflict')
  const reason = input.reason.trim()
  if (!reason) return new Refusal('reason_needed')
  if (booking.driver === null && requested.length === 0) return new Refusal('wrong_status')
  const released =
    booking.driver === null
      ? { changes: { excluded_drivers: excluding(booking, requested) }, effects: removals(requested) }
      : release(booking, reason)
  return {
    to: 'NEW',
    changes: released.changes,
    effects: [
      ...released.effects,
      ...(settings.autoDispatch
        ? [{ kind: 'dispatch' as const, booking: booking.id, at: dispatchAt(booking, settings, now) }]
        : []),
    ],
    reason,
  }
}

/** The fields that acceptance and arrival set. */
const drivenFields = [
  'driver',
  'driver_name',
  'driver_image',
  'driver_contact',
  'call_number',
  'vehicle_number',
  'vehicle_make',
  'vehicle_model',
  'driverRating',
  'fleetadmin',
  'accepted_at',
  'promised_arrival',
  'driver_arrive_time',
  'arrival_received_at',
  'otp_tries',
  'otp_blocked_until',
  'wave',
] as const satisfies readonly (keyof typeof initialFields)[]

/** Their values before anyone was asked. */
const undriven: Partial<Booking> = Object.fromEntries(
  drivenFields.map((field) => [field, initialFields[field]]),
)

/**
 * Frees the trip's driver and notifies both people. No fee is due: the rider did not cancel. Throws if the booking has no
 * driver.
 */
function release(booking: Booking, reason: string): { changes: Partial<Booking>; effects: Effect[] } {
  const { driver } = booking
  if (driver === null) throw new Error('a released trip needs a driver')
  return {
    changes: { ...undriven, excluded_drivers: excluding(booking, [driver]) },
    effects: [
      { kind: 'free_driver', driver },
      notify(booking, driver, 'trip_withdrawn', 'DriverTrips', { reason }),
      notify(booking, booking.customer, 'driver_withdrawn', 'BookedCab'),
    ],
  }
}

function excluding({ excluded_drivers }: Booking, drivers: readonly string[]): string[] {
  return [...excluded_drivers.filter((id) => !drivers.includes(id)), ...drivers]
}

const removals = (drivers: readonly string[]): Effect[] =>
  drivers.map((driver) => ({ kind: 'remove_request', driver }))
