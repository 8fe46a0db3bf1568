import { dispatchAt } from '../dispatch/timing.ts'
import { Refusal } from '../error-keys.ts'
import { advancePayment } from '../wallet/trip-entries.ts'
import { dueOf, isByCard } from './amounts.ts'
import type { Booking } from './booking.ts'
import { cancelled } from './cancelled.ts'
import { paymentTimeMs } from './create.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { payOthers } from './settle.ts'

/** Reason of a booking that is cancelled because it was never paid for. */
export const incompleteBooking = 'cancelled incomplete booking'

/** True for a booking that was cancelled because it was never paid for. */
export function isIncomplete({ status, reason }: Pick<Booking, 'status' | 'reason'>): boolean {
  return status === 'CANCELLED' && reason === incompleteBooking
}

/** The advance payment was captured, together with the rider's earlier debt: drivers can be asked now. */
export function capturePayment(
  { booking, settings, rider }: Facts,
  input: InputOf<'capture_payment'>,
  now: number,
): Outcome | Refusal {
  const inAdvance = isByCard(booking.payment_mode)
  const due = inAdvance ? dueOf(booking) : 0
  if (input.amount < due || (due <= 0 && input.amount !== 0)) return new Refusal('conflict')
  const more = input.amount - due
  const { provider, payment } = input
  const others = payOthers({ booking, settings, rider }, { from: 'card', provider, payment }, more, now)
  return {
    to: 'NEW',
    changes: inAdvance
      ? {
          prepaid: true,
          gateway: input.amount > 0 ? input.provider : null,
          cardPaymentAmount: due,
          customer_paid: booking.usedWalletMoney + due,
          ...others.changes,
          payableAmount: 0,
        }
      : {},
    entries: inAdvance
      ? [
          ...advancePayment(booking.id, { ...input, promo: booking.discount_amount }, others.paid),
          ...others.entries,
        ]
      : [],
    otherTrips: others.also,
    effects: settings.autoDispatch
      ? [{ kind: 'dispatch', booking: booking.id, at: dispatchAt(booking, settings, now) }]
      : [],
  }
}

/** The rider did not pay in time. Refused with too_early before the deadline. */
export function expirePayment(
  { booking }: Facts,
  _input: InputOf<'expire_payment'>,
  now: number,
): Outcome | Refusal {
  const from = booking.bookingDate + paymentTimeMs
  if (now < from) return new Refusal('too_early', { data: { from } })
  const outcome = cancelled(booking, { by: 'system', reason: incompleteBooking, fee: 0 })
  return {
    ...outcome,
    effects: [...(outcome.effects ?? []), notify(booking, booking.customer, 'payment_expired', 'BookingCab')],
  }
}
