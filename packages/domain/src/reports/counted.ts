import type { Booking } from '../bookings/booking.ts'
import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import type { Amount } from '../money/amount.ts'

/** The statuses in which a booking counts in the reports. */
export const countedStatuses = ['PAID', 'COMPLETE'] as const satisfies readonly BookingStatus[]

/** The days of the dashboard's chart, today included. */
export const dashboardDays = 30

/** The figures of one booking or several. Amounts are integers of 10^-4 of the currency unit. */
export interface Earnings {
  rides: number
  cancelled: number
  trip_cost: Amount
  convenience_fees: Amount
  discount_amount: Amount
  driver_share: Amount
}

export const noEarnings: Earnings = {
  rides: 0,
  cancelled: 0,
  trip_cost: 0,
  convenience_fees: 0,
  discount_amount: 0,
  driver_share: 0,
}

type Counted = Pick<Booking, 'status' | 'trip_cost' | 'convenience_fees' | 'discount_amount' | 'driver_share'>

/** The figures of one booking: its amounts once it is paid, a count when it was cancelled, zeros otherwise. */
export function earningsOf(booking: Counted): Earnings {
  if (booking.status === 'CANCELLED') return { ...noEarnings, cancelled: 1 }
  if (!isOneOf(countedStatuses, booking.status)) return noEarnings
  const { trip_cost, convenience_fees, discount_amount, driver_share } = booking
  return { rides: 1, cancelled: 0, trip_cost, convenience_fees, discount_amount, driver_share }
}

/** The sum of two. */
export function addEarnings(one: Earnings, other: Earnings): Earnings {
  return {
    rides: one.rides + other.rides,
    cancelled: one.cancelled + other.cancelled,
    trip_cost: one.trip_cost + other.trip_cost,
    convenience_fees: one.convenience_fees + other.convenience_fees,
    discount_amount: one.discount_amount + other.discount_amount,
    driver_share: one.driver_share + other.driver_share,
  }
}

/** The platform's profit: its fees minus the discounts it bears. */
export function profitOf(earnings: Pick<Earnings, 'convenience_fees' | 'discount_amount'>): Amount {
  return earnings.convenience_fees - earnings.discount_amount
}
