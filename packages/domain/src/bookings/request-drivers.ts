import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'

/** Asks the next wave of drivers; their requests expire when the following wave is due. */
export function requestDrivers({ booking }: Facts, input: InputOf<'request_drivers'>): Outcome {
  const drivers = input.drivers.filter((driver) => !booking.excluded_drivers.includes(driver))
  return {
    changes: { wave: input.wave },
    effects: [
      ...(drivers.length > 0
        ? [{ kind: 'ask_drivers' as const, drivers, wave: input.wave, expires_at: input.next_at }]
        : []),
      ...drivers.map((driver) => notify(booking, driver, 'new_booking', 'DriverTrips')),
      { kind: 'dispatch', booking: booking.id, at: input.next_at },
    ],
  }
}
