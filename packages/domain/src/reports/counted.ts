import type { Booking } from '../bookings/booking.ts'
import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import { type EarningParts, earnedOf, noEarningParts } from '../earnings/figures.ts'
import type { Amount } from '../money/amount.ts'
import type { EntryKind } from '../wallet/ledger.ts'
import type { RefundBearer, RefundState } from '../wallet/refund.ts'

/** The statuses in which a booking counts in the reports. */
export const countedStatuses = ['PAID', 'COMPLETE'] as const satisfies readonly BookingStatus[]

/** The days of the dashboard's chart, today included. */
export const dashboardDays = 30

/**
 * The figures of one record or several. Amounts are integers of 10^-4 of the currency unit. Bookings and what riders
 * have not paid of them count on the trip's day, refunds on the day when they were asked for, entries of the ledger on
 * their own day: days of the city's time zone.
 */
export const noEarnings = {
  /** Paid trips. */
  rides: 0,
  cancelled: 0,
  trip_cost: 0,
  /** The platform's booking fees. */
  convenience_fees: 0,
  discount_amount: 0,
  driver_share: 0,
  /** Charged to the riders of cancelled bookings. */
  cancellation_fees: 0,
  /** The parts of driver_share and cancellation_fees that the rider has not paid, or that were waived. */
  waiting_share: 0,
  waiting_fees: 0,
  /** Unpaid trips and debts that the platform bears. */
  write_offs: 0,
  /** Refunds by bearer, also those in progress; without failed ones. */
  platform_refunds: 0,
  driver_refunds: 0,
  /** Refunds in progress, of any bearer; part of the figures above. */
  open_refunds: 0,
  /** Fees of providers for disputes. */
  dispute_fees: 0,
  /** Referral bonuses, and the part of them that drivers got. */
  bonuses: 0,
  driver_bonuses: 0,
  /** Wallet credits by admins, less debits. */
  credits: 0,
} satisfies Record<string, Amount>
export type Earnings = typeof noEarnings
export const earningFields = Object.keys(noEarnings) as (keyof Earnings)[]

type Counted = Pick<
  Booking,
  'status' | 'trip_cost' | 'convenience_fees' | 'discount_amount' | 'driver_share' | 'cancellation_fee'
>

/** The figures of one booking: its amounts once it is paid, count and fee when it was cancelled, zeros otherwise. */
export function earningsOf(booking: Counted): Earnings {
  if (booking.status === 'CANCELLED')
    return { ...noEarnings, cancelled: 1, cancellation_fees: booking.cancellation_fee }
  if (!isOneOf(countedStatuses, booking.status)) return noEarnings
  const { trip_cost, convenience_fees, discount_amount, driver_share } = booking
  return { ...noEarnings, rides: 1, trip_cost, convenience_fees, discount_amount, driver_share }
}

/** What the driver of a booking has not received: the open and the waived part of its due. */
export function waitingOf(
  { status }: Pick<Booking, 'status'>,
  due: { open: Amount; waived: Amount },
): Earnings {
  const waiting = due.open + due.waived
  return { ...noEarnings, [status === 'CANCELLED' ? 'waiting_fees' : 'waiting_share']: waiting }
}

/** The figures of a refund and its dispute fee. A failed one leaves only the fee. */
export function refundFiguresOf(refund: {
  bearer: RefundBearer
  state: RefundState
  amount: Amount
  fee: Amount
  ended_at: number | null
}): Earnings {
  const amount = refund.state === 'failed' ? 0 : refund.amount
  return {
    ...noEarnings,
    platform_refunds: refund.bearer === 'platform' ? amount : 0,
    driver_refunds: refund.bearer === 'driver' ? amount : 0,
    open_refunds: refund.ended_at === null ? amount : 0,
    dispute_fees: refund.fee,
  }
}

/** The figures of a leg of the ledger that no other record has; `isDriver`: it is on a driver's account. */
export function movementOf(
  { kind }: { kind: EntryKind },
  leg: { account: string; amount: Amount; isDriver: boolean },
) {
  const isWriteOff = leg.account === 'platform' && (kind === 'write_off' || kind === 'objection_decided')
  return {
    ...noEarnings,
    write_offs: isWriteOff ? -leg.amount : 0,
    bonuses: leg.account === 'bonus' ? -leg.amount : 0,
    credits: leg.account === 'adjustment' ? -leg.amount : 0,
    driver_bonuses: kind === 'referral_bonus' && leg.isDriver ? leg.amount : 0,
  } satisfies Earnings
}

/** The sum of two. */
export function addEarnings(one: Earnings, other: Earnings): Earnings {
  const sum = { ...one }
  for (const field of earningFields) sum[field] += other[field]
  return sum
}

/** The platform's profit as the specification defines it: its fees minus the discounts it bears. */
export function profitOf(earnings: Pick<Earnings, 'convenience_fees' | 'discount_amount'>): Amount {
  return earnings.convenience_fees - earnings.discount_amount
}

/**
 * What the platform keeps: the sum of the accounts `platform` and `promo`, apart from the discounts of prepaid trips that
 * are still in progress.
 */
export function netOf(earnings: Earnings): Amount {
  const { write_offs, platform_refunds, dispute_fees } = earnings
  return profitOf(earnings) - write_offs - platform_refunds - dispute_fees
}

/** The drivers' part of some figures, as on a driver's own earnings page: without what riders have not paid. */
export function driverPartsOf(
  earnings: Earnings,
): Pick<EarningParts, 'trips' | 'driverShare' | 'cancellationFee' | 'bonus' | 'refund'> {
  return {
    trips: earnings.rides,
    driverShare: earnings.driver_share - earnings.waiting_share,
    cancellationFee: earnings.cancellation_fees - earnings.waiting_fees,
    bonus: earnings.driver_bonuses,
    refund: earnings.driver_refunds,
  }
}

/** What drivers earned: the rule of a driver's own earnings page (`earnedOf`). */
export function driversEarned(earnings: Earnings): Amount {
  return earnedOf({ ...noEarningParts, ...driverPartsOf(earnings) })
}
