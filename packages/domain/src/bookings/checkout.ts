import { dispatchAt } from '../dispatch/timing.ts'
import { Refusal } from '../error-keys.ts'
import { promoDetails, promoRefusal } from '../fare/promo.ts'
import { type Amount, moneyText } from '../money/amount.ts'
import { mayCollect } from '../users/eligibility.ts'
import { advancePayment, canPay, walletPayment, walletReturned } from '../wallet/trip-entries.ts'
import { discountFields, dueOf, fareToPay, isByCard, mayPayByCard, walletPart } from './amounts.ts'
import type { Booking } from './booking.ts'
import { cancelled, incompleteBooking } from './cancel.ts'
import { paymentTimeMs } from './create.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { payOthers } from './settle.ts'
import { isOneOf } from './status.ts'

/**
 * The rider, or an admin for them, changes the payment method until the trip is paid; not possible once it is paid in
 * advance. Once the trip has ended, the promo stays as it is. The wallet part of wallet and card is held from checkout on:
 * while an advance payment or a closed trip waits for the card.
 */
export function choosePayment(
  facts: Facts,
  input: InputOf<'choose_payment'>,
  now: number,
): Outcome | Refusal {
  const { booking, by, rider, settings } = facts
  const wrong = refusalOf(facts, input, now)
  if (wrong) return wrong
  const isClosed = booking.status === 'PENDING'
  const discount = isPriceFixed(facts) ? keptDiscount(booking) : chosenDiscount(booking, input)
  const due = dueOf({ ...booking, ...discount, usedWalletMoney: 0 })
  const balance = rider.walletBalance + booking.usedWalletMoney
  if (input.payment_mode === 'wallet' && !canPay(balance, due)) {
    return new Refusal('low_wallet')
  }
  const isWaiting = booking.status === 'PAYMENT_PENDING'
  // A delivery is paid in advance, from the wallet too.
  const isAllByWallet = isWaiting && facts.delivery !== null && input.payment_mode === 'wallet'
  const isPartByWallet = (isWaiting || isClosed) && input.payment_mode === 'wallet_card'
  const wanted = isAllByWallet ? due : isPartByWallet ? walletPart(balance, due) : 0
  // Nothing would be left for the card, and the trip would never be paid.
  const isWalletEnough = isClosed && wanted === due
  const payment_mode = isWalletEnough && wanted > 0 ? 'wallet' : input.payment_mode
  const held = isWalletEnough ? 0 : wanted
  return {
    changes: { payment_mode, ...discount, usedWalletMoney: held, payableAmount: due - held },
    entries: heldEntries(booking, held),
    effects: [
      ...promoEffects(booking.promo_id, discount.promo_id),
      ...(isWaiting ? [paymentJob(isByCard(payment_mode) && due > held, booking, now)] : []),
      ...(by.role === 'rider'
        ? []
        : [
            notify(booking, booking.customer, 'booking_changed', 'BookedCab', {
              amount: moneyText(fareToPay({ ...booking, ...discount }), booking.decimal, settings),
            }),
          ]),
    ],
  }
}

function refusalOf(
  facts: Facts,
  { payment_mode, promo }: InputOf<'choose_payment'>,
  now: number,
): Refusal | null {
  const { booking, by, cardAvailable, delivery, driver, settings } = facts
  if (booking.prepaid) return new Refusal('already_paid')
  const payer = { cardAvailable, email: booking.customer_email }
  if (isByCard(payment_mode) && !mayPayByCard(payer)) return new Refusal('payment_unavailable')
  const mayPayCash = delivery === null || settings.deliveryCash || by.role === 'admin'
  if (payment_mode === 'cash' && !mayPayCash) return new Refusal('cash_unavailable')
  // A sender's delivery is paid in advance, or in cash: it is not carried for a payment that may fail later.
  const isUnderWay = booking.status !== 'PAYMENT_PENDING' && booking.status !== 'PENDING'
  if (delivery !== null && by.role === 'rider' && isUnderWay && payment_mode !== booking.payment_mode) {
    return new Refusal('wrong_status')
  }
  // A driver who owes too much was asked for this trip because there was no cash to collect.
  const mayDriverCollect = !driver || mayCollect(driver.walletBalance, { ...settings, payment_mode })
  if (payment_mode !== booking.payment_mode && !mayDriverCollect) return new Refusal('cash_unavailable')
  if (isPriceFixed(facts)) {
    const isSame = promo === undefined || (promo?.id ?? null) === booking.promo_id
    return isSame ? null : new Refusal('promo_not_valid')
  }
  const isKept = promo?.id === booking.promo_id
  return promo ? promoRefusal(promo, booking.trip_cost, now, isKept) : null
}

/**
 * True when the promo stays as it is: it was settled with the final price, or the courier of a delivery may have collected
 * its fee.
 */
function isPriceFixed({ booking: { status }, delivery }: Facts): boolean {
  return status === 'PENDING' || (delivery !== null && isOneOf(['ARRIVED', 'STARTED'], status))
}

function keptDiscount({ discount_amount, promo_applied, promo_id, promo_details }: Booking) {
  return { discount_amount, promo_applied, promo_id, promo_details }
}

function chosenDiscount(booking: Booking, { promo }: InputOf<'choose_payment'>) {
  const kept =
    booking.promo_id !== null && booking.promo_details
      ? { id: booking.promo_id, details: booking.promo_details }
      : null
  const chosen = promo === undefined ? kept : promo && { id: promo.id, details: promoDetails(promo) }
  return discountFields(booking.trip_cost, chosen, booking.decimal)
}

/** Entries that change the wallet part from the current amount to `held`. */
export function heldEntries(booking: Booking, held: Amount) {
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

/**
 * Nothing to pay in advance: drivers are asked immediately. Otherwise the payment deadline still counts from the
 * booking.
 */
function paymentJob(mustPay: boolean, booking: Booking, now: number): Effect {
  return mustPay
    ? { kind: 'schedule', job: 'expire_payment', at: booking.bookingDate + paymentTimeMs }
    : { kind: 'schedule', job: 'capture_payment', at: now }
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
  { booking, delivery, settings, rider }: Facts,
  input: InputOf<'capture_payment'>,
  now: number,
): Outcome | Refusal {
  const inAdvance = isByCard(booking.payment_mode) || (delivery !== null && booking.payment_mode === 'wallet')
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
