import { Refusal } from '../error-keys.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'

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
