import { dispatchAt } from '../dispatch/timing.ts'
import type { Amount } from '../money/amount.ts'
import { cancellation, escrowInherited } from '../wallet/trip-entries.ts'
import { escrowOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Canceller } from './choices.ts'
import type { Effect, Outcome } from './decision.ts'
import type { BookingIdentity, BookingSettings, Facts, InputOf } from './facts.ts'
import { initialFields } from './fields.ts'
import { notify } from './notices.ts'

/** The canceller, reason and fee of a booking that ends unpaid. */
export interface Cancelling {
  by: Canceller
  reason: string
  fee: Amount
}

/**
 * Ends the booking: empties the escrow (the fee to the driver, the rest back), releases the promo and the driver, and
 * withdraws the requests.
 */
export function cancelled(booking: Booking, { by, reason, fee }: Cancelling): Outcome {
  const { id, customer, driver } = booking
  return {
    to: 'CANCELLED',
    changes: { ...endedFields(by, reason), cancellation_fee: driver === null ? 0 : fee },
    entries: cancellation({ booking: id, rider: customer, driver, fee, ...escrowOf(booking) }),
    effects: [
      ...releaseEffects(booking),
      ...(booking.promo_id === null ? [] : [{ kind: 'release_promo' as const, promo: booking.promo_id }]),
    ],
    reason,
  }
}

/** Fields set on every cancelled booking. */
function endedFields(
  by: Canceller,
  reason: string,
): Pick<Booking, 'reason' | 'cancelledBy' | 'customer_paid' | 'payableAmount'> {
  return { reason, cancelledBy: by, customer_paid: 0, payableAmount: 0 }
}

/** Frees the driver, or withdraws the requests. */
function releaseEffects(booking: Booking): Effect[] {
  return booking.driver === null
    ? [{ kind: 'remove_requests' }]
    : [{ kind: 'free_driver', driver: booking.driver }]
}

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
