import { Refusal } from '../error-keys.ts'
import { isPromoUsable, promoDetails } from '../fare/promo.ts'
import type { Amount } from '../money/amount.ts'
import { walletPayment, walletReturned } from '../wallet/trip-entries.ts'
import { canPay } from '../wallet/user-entries.ts'
import { discountFields, dueOf, isByCard, walletPart } from './amounts.ts'
import type { Booking } from './booking.ts'
import { paymentTimeMs } from './create.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'

/** The rider changes how to pay, or the promo, until the trip has ended; not once it is paid in advance. */
export function choosePayment(
  facts: Facts,
  input: InputOf<'choose_payment'>,
  now: number,
): Outcome | Refusal {
  const { booking, rider, settings } = facts
  const { payment_mode } = input
  if (booking.prepaid) return new Refusal('already_paid')
  if (isByCard(payment_mode) && !facts.cardAvailable) return new Refusal('payment_unavailable')
  const isKept = input.promo?.id === booking.promo_id
  if (input.promo && !isPromoUsable(input.promo, booking.trip_cost, now, isKept)) {
    return new Refusal('promo_not_valid')
  }
  const discount = chosenDiscount(booking, input)
  const due = dueOf({ ...booking, ...discount, usedWalletMoney: 0 })
  const balance = rider.walletBalance + booking.usedWalletMoney
  if (payment_mode === 'wallet' && !canPay(balance, due, settings.negativeBalance)) {
    return new Refusal('low_wallet')
  }
  const isWaiting = booking.status === 'PAYMENT_PENDING'
  const held = isWaiting && payment_mode === 'wallet_card' ? walletPart(balance, due) : 0
  return {
    changes: { payment_mode, ...discount, usedWalletMoney: held, payableAmount: due - held },
    entries: heldEntries(booking, held),
    effects: [
      ...promoEffects(booking.promo_id, discount.promo_id),
      ...(isWaiting ? [paymentJob(isByCard(payment_mode) && due > held, booking, now)] : []),
    ],
  }
}

function chosenDiscount(booking: Booking, { promo }: InputOf<'choose_payment'>) {
  const kept =
    booking.promo_id !== null && booking.promo_details
      ? { id: booking.promo_id, details: booking.promo_details }
      : null
  const chosen = promo === undefined ? kept : promo && { id: promo.id, details: promoDetails(promo) }
  return discountFields(booking.trip_cost, chosen, booking.decimal)
}

/** The wallet's part changes from what is held to `held`. */
function heldEntries(booking: Booking, held: Amount) {
  const more = held - booking.usedWalletMoney
  const step = `checkout:${booking.version + 1}`
  return more >= 0
    ? walletPayment(booking.id, booking.customer, more, step)
    : walletReturned(booking.id, booking.customer, -more, step)
}

function promoEffects(before: string | null, after: string | null): Effect[] {
  if (before === after) return []
  return [
    ...(before === null ? [] : [{ kind: 'release_promo' as const, promo: before }]),
    ...(after === null ? [] : [{ kind: 'reserve_promo' as const, promo: after }]),
  ]
}

/** Nothing to pay in advance: drivers are asked at once. Otherwise the time to pay still counts from the booking. */
function paymentJob(mustPay: boolean, booking: Booking, now: number): Effect {
  return mustPay
    ? { kind: 'schedule', job: 'expire_payment', at: booking.bookingDate + paymentTimeMs }
    : { kind: 'schedule', job: 'capture_payment', at: now }
}
