import type { Amount } from '../money/amount.ts'
import {
  type Account,
  dueAccount,
  type Entry,
  entryIfAny,
  providerAccount,
  tripAccount,
  userAccount,
} from './ledger.ts'

/** The rider hands the driver cash: the driver owes it to the trip. */
export function cashPayment(booking: string, driver: string, amount: Amount): Entry[] {
  return intoTrip('cash_payment', booking, userAccount(driver), amount)
}

/** The rider pays from the wallet. `step` keeps several payments of one trip apart. */
export function walletPayment(booking: string, rider: string, amount: Amount, step = 'wallet'): Entry[] {
  return intoTrip('wallet_payment', booking, userAccount(rider), amount, step)
}

/** Money that a payment provider has captured: what for is decided once. */
export interface Captured {
  provider: string
  amount: Amount
  /** The payment's own id; null where nothing was captured. */
  payment: string | null
}

/** The one key of everything that a captured payment can be used for: only one of it can ever be written. */
export function paymentKey(payment: string): string {
  return `payment:${payment}`
}

/** What a payment pays besides its own trip: the rider's other unpaid trips, and the rest for the rider's balance. */
export interface AlsoPaid {
  rider: string
  trips: readonly { booking: string; amount: Amount }[]
  toRider: Amount
}

const nothingElse: AlsoPaid = { rider: '', trips: [], toRider: 0 }

/** A payment provider has captured the rider's card: for the trip, and for what the rider owed before. Throws RangeError without a payment. */
export function cardPayment(
  booking: string,
  { provider, amount, payment }: Captured,
  also: AlsoPaid = nothingElse,
): Entry[] {
  if (payment === null) throw new RangeError(`a card payment of ${booking} without a payment`)
  return entryIfAny('card_payment', paymentKey(payment), booking, [
    { account: providerAccount(provider), amount: -amount },
    ...also.trips.map((trip) => ({ account: tripAccount(trip.booking), amount: trip.amount })),
    { account: tripAccount(booking), amount: amount - alsoPaid(also) },
    { account: userAccount(also.rider), amount: also.toRider },
  ])
}

/** The rider hands the driver more cash than the trip costs: the rest goes to the rider's balance, which is below zero. */
export function debtCollected(booking: string, driver: string, rider: string, amount: Amount): Entry[] {
  return entryIfAny('debt_collected', `${booking}:debt_collected`, booking, [
    { account: userAccount(driver), amount: -amount },
    { account: userAccount(rider), amount },
  ])
}

function alsoPaid({ trips, toRider }: AlsoPaid): Amount {
  return trips.reduce((sum, trip) => sum + trip.amount, toRider)
}

/** The platform bears what a promo takes off; a negative amount goes back to promo. */
export function promoPayment(booking: string, amount: Amount, step = 'promo'): Entry[] {
  return intoTrip('promo_payment', booking, 'promo', amount, step)
}

/** A card captured in advance, with the promo's part in the same entry; that part alone when nothing was to be paid. */
export function advancePayment(
  booking: string,
  { provider, amount, payment, promo }: Captured & { promo: Amount },
  also: AlsoPaid = nothingElse,
): Entry[] {
  if (amount > 0 && payment === null) throw new RangeError(`a card payment of ${booking} without a payment`)
  const key = payment === null ? `${booking}:advance` : paymentKey(payment)
  return entryIfAny('card_payment', key, booking, [
    { account: providerAccount(provider), amount: -amount },
    { account: 'promo', amount: -promo },
    ...also.trips.map((trip) => ({ account: tripAccount(trip.booking), amount: trip.amount })),
    { account: tripAccount(booking), amount: amount - alsoPaid(also) + promo },
    { account: userAccount(also.rider), amount: also.toRider },
  ])
}

/** The platform bears an unpaid trip. */
export function writeOff(booking: string, amount: Amount): Entry[] {
  return intoTrip('write_off', booking, 'platform', amount)
}

/**
 * The escrow goes to the driver and the platform. Its key lets a trip be settled once only. `waiting` is the part of the
 * driver's share that took the rider's balance below zero: the driver gets it once the rider has paid it.
 */
export function settlement(
  booking: string,
  driver: string,
  cost: { trip_cost: Amount; driver_share: Amount; convenience_fees: Amount },
  waiting: Amount = 0,
): Entry[] {
  return entryIfAny('settlement', `${booking}:settlement`, booking, [
    { account: tripAccount(booking), amount: -cost.trip_cost },
    { account: userAccount(driver), amount: cost.driver_share - waiting },
    { account: dueAccount(booking), amount: waiting },
    { account: 'platform', amount: cost.convenience_fees },
  ])
}

/** What was paid in advance beyond the final price goes back to the rider's wallet. */
export function surplusReturned(booking: string, rider: string, amount: Amount): Entry[] {
  return outOfTrip('surplus_returned', booking, userAccount(rider), amount, 'surplus')
}

/** A wallet part held at checkout goes back: the payment failed, lapsed, or another way was chosen. */
export function walletReturned(booking: string, rider: string, amount: Amount, step: string): Entry[] {
  return outOfTrip('wallet_returned', booking, userAccount(rider), amount, step)
}

/** What a cancelled booking holds, who gets it and what the cancellation costs. */
export interface CancelledEscrow {
  booking: string
  rider: string
  driver: string | null
  fee: Amount
  /** Paid by the rider, from wallet or card. */
  paid: Amount
  /** Put in by a promo. */
  promo: Amount
}

/**
 * Empties the escrow of a cancelled booking: a promo's part to promo, the rest to the rider, less the fee. The driver gets
 * the part of the fee that the escrow covers; the rest is due, and is the driver's once the rider has paid it.
 */
export function cancellation({ booking, rider, driver, fee, paid, promo }: CancelledEscrow): Entry[] {
  const charged = driver === null ? 0 : fee
  const covered = Math.min(charged, paid)
  return entryIfAny('cancellation', `${booking}:cancellation`, booking, [
    { account: tripAccount(booking), amount: -(paid + promo) },
    ...(driver === null ? [] : [{ account: userAccount(driver), amount: covered }]),
    { account: dueAccount(booking), amount: charged - covered },
    { account: 'promo', amount: promo },
    { account: userAccount(rider), amount: paid - charged },
  ])
}

/** The escrow of a booking moves to the one that replaces it. */
export function escrowInherited(from: string, to: string, amount: Amount): Entry[] {
  return entryIfAny('rebooked', `${from}:rebooked`, from, [
    { account: tripAccount(from), amount: -amount },
    { account: tripAccount(to), amount },
  ])
}

/** A card captured for a booking that has ended, was paid otherwise, or costs something else by now: the money is the rider's. */
export function lateCapture(
  booking: string,
  rider: string,
  { provider, amount, payment }: Captured & { payment: string },
): Entry[] {
  return entryIfAny('late_capture', paymentKey(payment), booking, [
    { account: providerAccount(provider), amount: -amount },
    { account: userAccount(rider), amount },
  ])
}

function intoTrip(
  kind: 'cash_payment' | 'wallet_payment' | 'promo_payment' | 'write_off',
  booking: string,
  from: Account,
  amount: Amount,
  step: string = kind,
): Entry[] {
  return entryIfAny(kind, `${booking}:${step}`, booking, [
    { account: from, amount: -amount },
    { account: tripAccount(booking), amount },
  ])
}

function outOfTrip(
  kind: 'surplus_returned' | 'wallet_returned',
  booking: string,
  to: Account,
  amount: Amount,
  step: string,
): Entry[] {
  return entryIfAny(kind, `${booking}:${step}`, booking, [
    { account: tripAccount(booking), amount: -amount },
    { account: to, amount },
  ])
}
