import { wasEndedUnfinished } from '../deliveries/unfinished.ts'
import { Refusal } from '../error-keys.ts'
import { type Amount, moneyText } from '../money/amount.ts'
import type { Entry } from '../wallet/ledger.ts'
import {
  canPay,
  cardPayment,
  cashPayment,
  debtCollected,
  type OtherPayments,
  promoPayment,
  settlement,
  surplusReturned,
  walletPayment,
  writeOff,
} from '../wallet/trip-entries.ts'
import { objectionDecided } from '../wallet/user-entries.ts'
import { allocate, dueOf, fareToPay, unpaidOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { BookingSettings, Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'

/** Who pays the amount still due when a trip is settled. */
export type Payer =
  | { from: 'cash' }
  | { from: 'wallet' }
  /** `payment` is null only when nothing is due. */
  | { from: 'card'; provider: string; payment: string | null }
  | { from: 'platform' }

/** How long a rider may take to rate before the trip is completed without a rating, ms. */
export const ratingTimeMs = 24 * 60 * 60_000

/**
 * The trip is paid: collects the amount due and pays the escrow out to driver and platform. Happens once. `more` is
 * money beyond the amount due: it pays the rider's other trips, oldest first, and the rest is credited to the rider.
 */
export function settle(
  facts: Pick<Facts, 'booking' | 'delivery' | 'settings' | 'rider'>,
  payer: Payer,
  now: number,
  more: Amount = 0,
): Outcome {
  const { booking, settings } = facts
  const due = dueOf(booking)
  // Whether the wallet covers the difference to the advance payment is known only once it is booked.
  const waiting = booking.prepaid && due > 0 ? Math.min(booking.driver_share, due) : 0
  // The notice of the end of a delivery has stated what is charged.
  const isNotified = due <= 0 && wasEndedUnfinished(facts.delivery)
  const own = settled(booking, payer, settings, now, { waiting, isNotified })
  const others = payOthers(facts, payer, more, now)
  return {
    to: 'PAID',
    changes: { ...own.changes, ...others.changes },
    entries: [
      ...othersPart(booking),
      ...(due > 0 || more > 0 ? paymentOf(booking, payer, Math.max(0, due), others.paid) : []),
      ...(due < 0 ? surplusReturned(booking.id, booking.customer, -due) : []),
      ...settlement(booking.id, driverOf(booking), booking, waiting),
      ...others.entries,
    ],
    effects: own.effects,
    otherTrips: others.also,
  }
}

/** The trip is already settled; uses `money` for the rider's other debt. */
export function settleOthers(
  facts: Pick<Facts, 'booking' | 'settings' | 'rider'>,
  payer: Payer,
  money: Amount,
  now: number,
): Outcome {
  const { changes, paid, entries, also } = payOthers(facts, payer, money, now)
  return { changes, entries: [...paymentOf(facts.booking, payer, 0, paid), ...entries], otherTrips: also }
}

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

interface OthersPaid {
  changes: Pick<Booking, 'outstanding_collected'>
  paid: OtherPayments
  entries: Entry[]
  also: NonNullable<Outcome['otherTrips']>
}

/** How `more` money pays the rider's other trips, and how those trips end; the caller adds the payment's own entry. */
export function payOthers(
  { booking, settings, rider }: Pick<Facts, 'booking' | 'settings' | 'rider'>,
  payer: Payer,
  more: Amount,
  now: number,
): OthersPaid {
  const { trips, toRider } = allocate(more, unpaidOf(rider, booking))
  const collected = payer.from === 'platform' ? 0 : more
  return {
    changes: { outstanding_collected: booking.outstanding_collected + collected },
    paid: {
      rider: booking.customer,
      trips: trips.map((trip) => ({ booking: trip.booking.id, amount: trip.amount })),
      toRider,
    },
    entries: trips.flatMap((trip) => [
      ...othersPart(trip.booking),
      ...settlement(trip.booking.id, driverOf(trip.booking), trip.booking),
    ]),
    also: trips.map((trip) => {
      const { changes, effects } = settled(trip.booking, payer, settings, now)
      // A different driver has the cash.
      const cash = payer.from === 'cash' ? { cash_answer: 'nothing' as const } : {}
      return { booking: trip.booking, changes: { status: 'PAID', ...changes, ...cash }, effects }
    }),
  }
}

/** What the promo pays of a trip that was not paid in advance, and the platform after an objection. */
const othersPart = ({ id, prepaid, discount_amount, written_off_amount }: Booking) =>
  prepaid ? [] : [...promoPayment(id, discount_amount), ...writeOff(id, written_off_amount, 'write_off_part')]

function settled(
  booking: Booking,
  payer: Payer,
  settings: BookingSettings,
  now: number,
  { waiting = 0, isNotified = false } = {},
) {
  const due = dueOf(booking)
  const extra = due > 0 && payer.from === 'platform' ? due : 0
  const customer_paid = fareToPay(booking) - extra
  return {
    changes: {
      customer_paid,
      payableAmount: 0,
      objection: objectionAfter(booking, payer),
      ...paidWith(booking, amountsAfter(booking, payer, due)),
    },
    effects: paidEffects(booking, driverOf(booking), { customer_paid, waiting, isNotified }, now, settings),
  }
}

const resolvedBy = { cash: 'paid', wallet: 'withdrawn', card: 'withdrawn', platform: 'written_off' } as const

/**
 * The state of the rider's objection after a payment. A rider who pays after all withdraws it; otherwise it stays open
 * for the amount to collect in addition to the trip. One to the return leg stays open: what was paid can be returned.
 */
function objectionAfter(booking: Booking, { from }: Payer): Booking['objection'] {
  if (booking.objection !== 'open') return booking.objection
  if (booking.objection_to === 'return_leg' && from !== 'platform') return 'open'
  const isWithdrawn = from === 'wallet' || from === 'card'
  return isWithdrawn || !booking.outstanding_amount ? resolvedBy[from] : 'open'
}

function driverOf(booking: Booking): string {
  if (booking.driver === null) throw new Error(`booking ${booking.id} has no driver to be paid`)
  return booking.driver
}

function paymentOf(booking: Booking, payer: Payer, due: Amount, also: OtherPayments): Entry[] {
  switch (payer.from) {
    case 'cash': {
      const driver = driverOf(booking)
      return [
        ...cashPayment(booking.id, driver, due),
        ...also.trips.flatMap((trip) => cashPayment(trip.booking, driver, trip.amount)),
        ...debtCollected(booking.id, driver, booking.customer, also.toRider),
      ]
    }
    case 'wallet':
      return walletPayment(booking.id, booking.customer, due)
    case 'card': {
      const amount = also.trips.reduce((sum, trip) => sum + trip.amount, due + also.toRider)
      return cardPayment(booking.id, { ...payer, amount }, also)
    }
    case 'platform':
      return [
        ...writeOff(booking.id, due),
        ...also.trips.flatMap((trip) => writeOff(trip.booking, trip.amount)),
        ...objectionDecided(booking.id, booking.customer, also.toRider),
      ]
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

/** The payment method that was used, whichever was chosen; unchanged if nothing was paid. */
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
  { customer_paid, waiting, isNotified }: { customer_paid: Amount; waiting: Amount; isNotified: boolean },
  now: number,
  settings: BookingSettings,
): Effect[] {
  const credited = booking.driver_share - waiting
  return [
    ...(isNotified
      ? []
      : [
          notify(booking, booking.customer, 'rider_paid', 'BookedCab', {
            amount: moneyText(customer_paid, booking.decimal, settings),
          }),
        ]),
    ...(credited > 0
      ? [
          notify(booking, driver, 'driver_credited', 'wallet', {
            amount: moneyText(credited, booking.decimal, settings),
          }),
        ]
      : []),
    { kind: 'schedule', job: 'complete_unrated', at: now + ratingTimeMs },
  ]
}
