import { Refusal } from '../error-keys.ts'
import { isRate } from '../users/profile.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { ratingTimeMs } from './settle.ts'

/** The rider rates the trip, which completes it. */
export function rate({ booking }: Facts, input: InputOf<'rate'>): Outcome | Refusal {
  if (!isRate(input.rating)) return outOfRange()
  const { driver, customer } = booking
  return {
    to: 'COMPLETE',
    changes: { rating: input.rating, feedback: input.feedback?.trim() || null },
    effects: [
      ...(driver === null
        ? []
        : [
            { kind: 'rate_driver' as const, driver, by: customer, rate: input.rating },
            notify(booking, driver, 'rated', 'DriverTrips', { rating: String(input.rating) }),
          ]),
      ...bonusEffects(booking),
    ],
  }
}

/** Completes the trip without a rating: by the rider at any time, automatically when the time to rate is over. */
export function skipRating(
  { booking, by }: Facts,
  _input: InputOf<'skip_rating'>,
  now: number,
): Outcome | Refusal {
  const from = (booking.closed_at ?? 0) + ratingTimeMs
  if (by.role === 'system' && now < from) return new Refusal('too_early', { data: { from } })
  return { to: 'COMPLETE', effects: bonusEffects(booking) }
}

/** The driver rates the rider, once. */
export function rateRider({ booking }: Facts, input: InputOf<'rate_rider'>): Outcome | Refusal {
  if (!isRate(input.rating)) return outOfRange()
  if (booking.rider_rating !== null) return new Refusal('conflict')
  return {
    changes: { rider_rating: input.rating },
    effects: [
      {
        kind: 'rate_rider',
        rider: booking.customer,
        by: booking.driver ?? booking.customer,
        rate: input.rating,
      },
    ],
  }
}

/** Both people of the trip may have been referred. */
function bonusEffects(booking: Booking): Effect[] {
  const people = booking.driver === null ? [booking.customer] : [booking.customer, booking.driver]
  return people.map((newcomer) => ({ kind: 'referral_bonus', newcomer, booking: booking.id }))
}

function outOfRange(): Refusal {
  return new Refusal('invalid_input', { fields: [{ field: 'rating', error: 'out_of_range' }] })
}
