import { Refusal } from '../error-keys.ts'
import { cancelled } from './cancel.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { noDriverFound } from './status.ts'

/** Asks the next wave of drivers; their requests expire when the following wave is due. */
export function requestDrivers({ booking }: Facts, input: InputOf<'request_drivers'>): Outcome {
  const drivers = input.drivers.filter((driver) => !booking.excluded_drivers.includes(driver))
  return {
    changes: { wave: input.wave },
    effects: [
      ...(drivers.length > 0
        ? [{ kind: 'ask_drivers' as const, drivers, wave: input.wave, expires_at: input.next_at }]
        : []),
      ...drivers.map((driver) => ({
        ...notify(booking, driver, 'new_booking', 'DriverTrips'),
        expires_at: input.next_at,
      })),
      { kind: 'dispatch', booking: booking.id, at: input.next_at },
    ],
  }
}

/**
 * A requested driver declines the trip and is not asked again. When no asked driver is left, the next wave starts
 * early.
 */
export function decline(
  { booking, by, requested, settings }: Facts,
  _input: InputOf<'decline'>,
  now: number,
): Outcome | Refusal {
  const driver = by.id
  if (driver === null || !requested.includes(driver)) return new Refusal('not_requested')
  const isLast = requested.length === 1
  return {
    changes: { excluded_drivers: [...booking.excluded_drivers.filter((id) => id !== driver), driver] },
    effects: [
      { kind: 'remove_request', driver },
      ...(isLast && settings.autoDispatch
        ? [{ kind: 'dispatch' as const, booking: booking.id, at: now }]
        : []),
    ],
  }
}

/** All waves have passed without a driver: refunds the money and offers to search again. */
export function findNoDriver({ booking }: Facts): Outcome {
  const outcome = cancelled(booking, { by: 'system', reason: noDriverFound, fee: 0 })
  return {
    ...outcome,
    effects: [...(outcome.effects ?? []), notify(booking, booking.customer, 'search_again', 'BookingCab')],
  }
}
