import { type Amount, moneyText } from '../money/amount.ts'
import type { Entry } from '../wallet/ledger.ts'
import {
  cardPayment,
  cashPayment,
  promoPayment,
  settlement,
  surplusReturned,
  walletPayment,
  writeOff,
} from '../wallet/trip-entries.ts'
import { dueOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { BookingSettings, Facts } from './facts.ts'
import { notify } from './notices.ts'

/** Who pays what is still due when a trip is settled. */
export type Payer =
  | { from: 'cash' }
  | { from: 'wallet' }
  /** `payment` is null only where nothing is due. */
  | { from: 'card'; provider: string; payment: string | null }
  | { from: 'platform' }

/** How long a rider may take to rate before the trip is completed without, ms. */
export const ratingTimeMs = 24 * 60 * 60_000

/** The trip is paid: what is due comes in, and the escrow goes out to driver and platform. Happens once. */
export function settle(
  { booking, settings }: Pick<Facts, 'booking' | 'settings'>,
  payer: Payer,
  now: number,
): Outcome {
  const driver = driverOf(booking)
  const due = dueOf(booking)
  const extra = due > 0 && payer.from === 'platform' ? due : 0
  const customer_paid = booking.trip_cost - booking.discount_amount - extra
  return {
    to: 'PAID',
    changes: { customer_paid, payableAmount: 0, ...paidWith(booking, amountsAfter(booking, payer, due)) },
    entries: [
      ...(booking.prepaid ? [] : promoPayment(booking.id, booking.discount_amount)),
      ...(due > 0 ? paymentOf(booking, driver, payer, due) : []),
      ...(due < 0 ? surplusReturned(booking.id, booking.customer, -due) : []),
      ...settlement(booking.id, driver, booking),
    ],
    effects: paidEffects(booking, driver, customer_paid, now, settings),
  }
}

function driverOf(booking: Booking): string {
  if (booking.driver === null) throw new Error(`booking ${booking.id} has no driver to be paid`)
  return booking.driver
}

function paymentOf(booking: Booking, driver: string, payer: Payer, due: Amount): Entry[] {
  switch (payer.from) {
    case 'cash':
      return cashPayment(booking.id, driver, due)
    case 'wallet':
      return walletPayment(booking.id, booking.customer, due)
    case 'card':
      return cardPayment(booking.id, { ...payer, amount: due })
    case 'platform':
      return writeOff(booking.id, due)
  }
}

function amountsAfter(booking: Booking, payer: Payer, due: Amount): Outcome['changes'] {
  if (due <= 0) return {}
  switch (payer.from) {
    case 'cash':
      return { cashPaymentAmount: due }
    case 'wallet':
      return { usedWalletMoney: booking.usedWalletMoney + due }
    case 'card':
      return { cardPaymentAmount: booking.cardPaymentAmount + due, gateway: payer.provider }
    case 'platform':
      return {}
  }
}

/** With the way that was paid in the end, whichever had been chosen; where nobody paid anything that stays. */
function paidWith(booking: Booking, amounts: Outcome['changes']): Outcome['changes'] {
  const {
    usedWalletMoney: wallet,
    cardPaymentAmount: card,
    cashPaymentAmount: cash,
  } = { ...booking, ...amounts }
  if (cash > 0) return { ...amounts, payment_mode: 'cash' }
  if (card > 0) return { ...amounts, payment_mode: wallet > 0 ? 'wallet_card' : 'card' }
  return wallet > 0 ? { ...amounts, payment_mode: 'wallet' } : amounts
}

function paidEffects(
  booking: Booking,
  driver: string,
  paid: Amount,
  now: number,
  settings: BookingSettings,
): Effect[] {
  return [
    notify(booking, booking.customer, 'rider_paid', 'BookedCab', {
      amount: moneyText(paid, booking.decimal, settings),
    }),
    notify(booking, driver, 'driver_credited', 'wallet', {
      amount: moneyText(booking.driver_share, booking.decimal, settings),
    }),
    { kind: 'schedule', job: 'complete_unrated', at: now + ratingTimeMs },
  ]
}
