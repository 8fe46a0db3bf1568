import type { Relation } from '../access/relation.ts'
import { fareToPay } from '../bookings/amounts.ts'
import type { Booking } from '../bookings/booking.ts'
import type { FareParts } from '../fare/fare.ts'
import type { Amount } from '../money/amount.ts'

/** One line of the receipt: a text key and its amount (10^-4 of the currency unit). */
export interface ReceiptLine {
  key: string
  amount: Amount
  kind: 'part' | 'total' | 'less' | 'due'
}

type Priced = Pick<
  Booking,
  'trip_cost' | 'discount_amount' | 'written_off_amount' | 'cancellation_fee' | 'status'
> & {
  fare_parts: Pick<FareParts, (typeof parts)[number]>
  /** The viewer of the receipt. */
  viewer: Relation
}

const parts = [
  'base',
  'distance',
  'time',
  'extras',
  'minimum_top_up',
  'return_leg',
  'convenience_fees',
] as const

/** Relations that see what others pay of the price; drivers see the full price. */
const seesDiscount: readonly Relation[] = ['rider', 'admin']

/**
 * The receipt's lines from the first part to the amount due. The parts add up to the total to the last digit; the total
 * minus the discount and what was written off is the amount due. A cancelled trip has one line: its fee.
 */
export function receiptLines(trip: Priced): ReceiptLine[] {
  if (trip.status === 'CANCELLED') {
    return [{ key: 'trip.cancellation_fee', amount: trip.cancellation_fee, kind: 'due' }]
  }
  const lines: ReceiptLine[] = parts
    .map((part) => ({ key: `trip.part_${part}`, amount: trip.fare_parts[part] ?? 0, kind: 'part' as const }))
    .filter(({ amount, key }) => amount !== 0 || key === 'trip.part_base')
  lines.push({ key: 'trip.total', amount: trip.trip_cost, kind: 'total' })
  const less = [
    { key: 'trip.discount', amount: -trip.discount_amount, kind: 'less' as const },
    { key: 'trip.written_off', amount: -trip.written_off_amount, kind: 'less' as const },
  ].filter(({ amount }) => amount !== 0)
  if (less.length === 0 || !seesDiscount.includes(trip.viewer)) return lines
  return [...lines, ...less, { key: 'trip.to_pay', amount: fareToPay(trip), kind: 'due' }]
}

type Settled = Pick<
  Booking,
  | 'status'
  | 'cashPaymentAmount'
  | 'cardPaymentAmount'
  | 'usedWalletMoney'
  | 'customer_paid'
  | 'cancellation_fee'
> &
  Pick<Priced, 'viewer'>

/**
 * How the trip was paid: each method with its amount, without those of 0; and, negative, the surplus of an advance
 * payment that was returned to the wallet when the trip ended.
 */
export function paidBy(trip: Settled): { key: string; amount: Amount }[] {
  return [
    { key: 'trip.paid_cash', amount: trip.cashPaymentAmount },
    { key: 'trip.paid_wallet', amount: trip.usedWalletMoney },
    { key: 'trip.paid_card', amount: trip.cardPaymentAmount },
    { key: 'trip.paid_back', amount: -surplusOf(trip) },
  ].filter(({ amount }) => amount !== 0)
}

/** The amount paid beyond the final amount due; 0 while the trip has not ended, and for viewers who see neither. */
function surplusOf(trip: Settled): Amount {
  const isSettled = trip.status === 'PAID' || trip.status === 'COMPLETE' || trip.status === 'CANCELLED'
  if (!isSettled || !seesDiscount.includes(trip.viewer)) return 0
  const due = trip.status === 'CANCELLED' ? trip.cancellation_fee : trip.customer_paid
  return Math.max(0, trip.cashPaymentAmount + trip.usedWalletMoney + trip.cardPaymentAmount - due)
}

/** True for a paid trip that cost anything, and for a cancelled one with a fee. */
export function hasReceipt({
  status,
  trip_cost,
  cancellation_fee,
}: Pick<Booking, 'status' | 'trip_cost' | 'cancellation_fee'>): boolean {
  if (status === 'CANCELLED') return cancellation_fee > 0
  return (status === 'PAID' || status === 'COMPLETE') && trip_cost > 0
}
