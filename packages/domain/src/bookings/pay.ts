import { dispatchAt } from '../dispatch/timing.ts'
import { Refusal } from '../error-keys.ts'
import { advancePayment, canPay, walletReturned } from '../wallet/trip-entries.ts'
import { dueOf, isByCard } from './amounts.ts'
import { cancelled, incompleteBooking } from './cancel.ts'
import { paymentTimeMs } from './create.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { payOthers, settle } from './settle.ts'

/** The rider pays a pending trip from the wallet. */
export function payByWallet(facts: Facts, _input: InputOf<'pay_by_wallet'>, now: number): Outcome | Refusal {
  const { booking, rider } = facts
  if (!canPay(rider.walletBalance, dueOf(booking))) return new Refusal('low_wallet')
  return settle(facts, { from: 'wallet' }, now)
}

/** A payment provider has captured the amount due for a pending trip, and the rider's other debt. */
export function settleCapture(
  facts: Facts,
  input: InputOf<'settle_capture'>,
  now: number,
): Outcome | Refusal {
  const { provider, payment, amount } = input
  const due = dueOf(facts.booking)
  if (amount < due || due <= 0) return new Refusal('conflict')
  return settle(facts, { from: 'card', provider, payment }, now, amount - due)
}

/** The driver has received cash for a pending trip. */
export function confirmCash(facts: Facts, _input: InputOf<'confirm_cash'>, now: number): Outcome {
  const outcome = settle(facts, { from: 'cash' }, now)
  return { ...outcome, changes: { ...outcome.changes, cash_answer: 'trip' } }
}

/** An admin writes off an unpaid trip; the platform bears it. */
export function writeOffTrip(facts: Facts, input: InputOf<'write_off'>, now: number): Outcome | Refusal {
  if (!input.reason.trim()) return new Refusal('reason_needed')
  return { ...settle(facts, { from: 'platform' }, now), reason: input.reason }
}

/**
 * The card part of wallet and card was not paid: returns the wallet part held at checkout, so that the full amount is
 * due by card again. Refused with wrong_status when nothing is held.
 */
export function releaseHold({ booking }: Facts): Outcome | Refusal {
  const held = booking.usedWalletMoney
  if (booking.payment_mode !== 'wallet_card' || held === 0) return new Refusal('wrong_status')
  return {
    changes: {
      payment_mode: 'card',
      usedWalletMoney: 0,
      payableAmount: dueOf({ ...booking, usedWalletMoney: 0 }),
    },
    entries: walletReturned(booking.id, booking.customer, held, `checkout:${booking.version + 1}`),
  }
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
