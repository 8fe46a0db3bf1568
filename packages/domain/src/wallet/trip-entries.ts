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

/** True when a wallet can pay `amount`. A payment never makes a balance negative. */
export function canPay(balance: Amount, amount: Amount): boolean {
  return amount <= 0 || balance >= amount
}

/** The rider pays the driver in cash: the driver owes it to the trip. */
export function cashPayment(booking: string, driver: string, amount: Amount): Entry[] {
  return intoTrip('cash_payment', booking, userAccount(driver), amount)
}

/** The rider pays from the wallet. `step` distinguishes several payments of one trip. */
export function walletPayment(booking: string, rider: string, amount: Amount, step = 'wallet'): Entry[] {
  return intoTrip('wallet_payment', booking, userAccount(rider), amount, step)
}

/** Money captured by a payment provider; its use is decided once. */
export interface Captured {
  provider: string
  amount: Amount
  /** The payment's id; null when nothing was captured. */
  payment: string | null
}

/** The single key of every possible use of a captured payment: only one of them can be written. */
export function paymentKey(payment: string): string {
  return `payment:${payment}`
}

/** How a payment is used beyond its own trip: the rider's other unpaid trips, and the rest for the rider's balance. */
export interface OtherPayments {
  rider: string
  trips: readonly { booking: string; amount: Amount }[]
  toRider: Amount
}

const nothingElse: OtherPayments = { rider: '', trips: [], toRider: 0 }

/**
 * A payment provider has captured the rider's card: for the trip, and for earlier debt. Throws RangeError without a
 * payment.
 */
export function cardPayment(
  booking: string,
  { provider, amount, payment }: Captured,
  also: OtherPayments = nothingElse,
): Entry[] {
  if (payment === null) throw new RangeError(`card payment of ${booking} has no payment id`)
  return entryIfAny('card_payment', paymentKey(payment), booking, [
    { account: providerAccount(provider), amount: -amount },
    ...also.trips.map((trip) => ({ account: tripAccount(trip.booking), amount: trip.amount })),
    { account: tripAccount(booking), amount: amount - alsoPaid(also) },
    { account: userAccount(also.rider), amount: also.toRider },
  ])
}

/** The rider pays the driver more cash than the trip costs: the rest is credited to the rider's negative balance. */
export function debtCollected(booking: string, driver: string, rider: string, amount: Amount): Entry[] {
  return entryIfAny('debt_collected', `${booking}:debt_collected`, booking, [
    { account: userAccount(driver), amount: -amount },
    { account: userAccount(rider), amount },
  ])
}

function alsoPaid({ trips, toRider }: OtherPayments): Amount {
  return trips.reduce((sum, trip) => sum + trip.amount, toRider)
}

/** The platform bears a promo's discount; a negative amount returns to promo. */
export function promoPayment(booking: string, amount: Amount, step = 'promo'): Entry[] {
  return intoTrip('promo_payment', booking, 'promo', amount, step)
}

/** A card captured in advance, with the promo's part in the same entry; only the promo's part when nothing was due. */
export function advancePayment(
  booking: string,
  { provider, amount, payment, promo }: Captured & { promo: Amount },
  also: OtherPayments = nothingElse,
): Entry[] {
  if (amount > 0 && payment === null) throw new RangeError(`card payment of ${booking} has no payment id`)
  const key = payment === null ? `${booking}:advance` : paymentKey(payment)
  return entryIfAny('card_payment', key, booking, [
    { account: providerAccount(provider), amount: -amount },
    { account: 'promo', amount: -promo },
    ...also.trips.map((trip) => ({ account: tripAccount(trip.booking), amount: trip.amount })),
    { account: tripAccount(booking), amount: amount - alsoPaid(also) + promo },
    { account: userAccount(also.rider), amount: also.toRider },
  ])
}

/** The platform bears an unpaid trip, or with another `step` a part of it. */
export function writeOff(booking: string, amount: Amount, step = 'write_off'): Entry[] {
  return intoTrip('write_off', booking, 'platform', amount, step)
}

/**
 * Pays the escrow out to the driver and the platform. Its key allows only one settlement per trip. `waiting` is the
 * part of the driver's share that the rider's balance did not cover: the driver gets it once the rider has paid it.
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

/** The part of an advance payment beyond the final price returns to the rider's wallet. */
export function surplusReturned(booking: string, rider: string, amount: Amount): Entry[] {
  return outOfTrip('surplus_returned', booking, userAccount(rider), amount, 'surplus')
}

/** A wallet part held at checkout is returned: the payment failed or expired, or another method was chosen. */
export function walletReturned(booking: string, rider: string, amount: Amount, step: string): Entry[] {
  return outOfTrip('wallet_returned', booking, userAccount(rider), amount, step)
}

/** The escrow of a cancelled booking, its recipients and the cancellation fee. */
export interface CancelledEscrow {
  booking: string
  rider: string
  driver: string | null
  fee: Amount
  /** Amount paid by the rider, from wallet or card. */
  paid: Amount
  /** Amount paid by a promo. */
  promo: Amount
}

/**
 * Empties the escrow of a cancelled booking: the promo's part to promo, the rest to the rider, minus the fee. The
 * driver gets the part of the fee that the escrow covers; the rest is due, and goes to the driver once the rider has
 * paid it.
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

/** Moves the escrow of a booking to the one that replaces it. */
export function escrowInherited(from: string, to: string, amount: Amount): Entry[] {
  return entryIfAny('rebooked', `${from}:rebooked`, from, [
    { account: tripAccount(from), amount: -amount },
    { account: tripAccount(to), amount },
  ])
}

/**
 * A card was captured for a booking that has ended, was paid otherwise, or now costs a different amount: the money is
 * credited to the rider.
 */
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
