import { dispatchAt } from '../dispatch/timing.ts'
import { escrowInherited } from '../wallet/trip-entries.ts'
import { escrowOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import { endedFields, releaseEffects } from './cancelled.ts'
import type { Outcome } from './decision.ts'
import type { BookingIdentity, BookingSettings, Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { initialFields } from './fields.ts'

/**
 * A driver has cancelled: the booking ends and a replacement is made for the rider, with its price, payment, escrow and
 * promo, and without the drivers excluded so far. Throws when `next` is missing.
 */
export function rebook({ booking, settings }: Facts, input: InputOf<'cancel'>, now: number): Outcome {
  const { next } = input
  if (!next) throw new Error('a replacement booking needs an identity')
  const { paid, promo } = escrowOf(booking)
  return {
    to: 'CANCELLED',
    changes: {
      ...endedFields('driver', input.reason),
      cancellation_fee: 0,
      rebooked_as: next.id,
    },
    entries: escrowInherited(booking.id, next.id, paid + promo),
    effects: [
      ...releaseEffects(booking),
      { kind: 'rebook', booking: replacement(booking, next, settings) },
      { kind: 'dispatch', booking: next.id, at: dispatchAt(booking, settings, now) },
      notify(booking, booking.customer, 'looking_again', 'BookedCab', { next_booking_id: next.booking_id }),
      ...(booking.driver === null
        ? []
        : [notify(booking, booking.driver, 'booking_cancelled', 'DriverTrips')]),
    ],
    reason: input.reason,
  }
}

function replacement(booking: Booking, next: BookingIdentity, settings: BookingSettings): Booking {
  const { driver, excluded_drivers } = booking
  return {
    ...booking,
    ...initialFields,
    id: next.id,
    booking_id: next.booking_id,
    status: 'NEW',
    otp: settings.otp_secure ? next.otp : null,
    rebooked_from: booking.id,
    excluded_drivers: driver === null ? [...excluded_drivers] : [...excluded_drivers, driver],
  }
}
