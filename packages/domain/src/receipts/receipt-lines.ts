import type { Relation } from '../access/relation.ts'
import type { Booking } from '../bookings/booking.ts'
import type { FareParts } from '../fare/fare-rule.ts'
import type { Amount } from '../money/amount.ts'

/** One line of the receipt: a key of the language packs and its amount (10^-4 of the currency unit). */
export interface ReceiptLine {
  key: string
  amount: Amount
  kind: 'part' | 'total' | 'less' | 'due'
}

type Priced = Pick<Booking, 'trip_cost' | 'discount_amount' | 'cancellation_fee' | 'status'> & {
  fare_parts: Pick<FareParts, (typeof parts)[number]>
  /** Who reads it. */
  viewer: Relation
}

const parts = ['base', 'distance', 'time', 'extras', 'minimum_top_up', 'convenience_fees'] as const

/** Those who see what the rider saves; for the driver the trip costs what it costs. */
const seesDiscount: readonly Relation[] = ['rider', 'admin']

/**
 * The receipt from the first part to what is paid. The parts add up to the total to the last digit, the total less
 * the discount to what is due. A cancelled trip has one line: its fee.
 */
export function receiptLines(trip: Priced): ReceiptLine[] {
  if (trip.status === 'CANCELLED') {
    return [{ key: 'trip.cancellation_fee', amount: trip.cancellation_fee, kind: 'due' }]
  }
  const lines: ReceiptLine[] = parts
    .map((part) => ({ key: `trip.part_${part}`, amount: trip.fare_parts[part], kind: 'part' as const }))
    .filter(({ amount, key }) => amount !== 0 || key === 'trip.part_base')
  lines.push({ key: 'trip.total', amount: trip.trip_cost, kind: 'total' })
  if (trip.discount_amount === 0 || !seesDiscount.includes(trip.viewer)) return lines
  return [
    ...lines,
    { key: 'trip.discount', amount: -trip.discount_amount, kind: 'less' },
    { key: 'trip.to_pay', amount: trip.trip_cost - trip.discount_amount, kind: 'due' },
  ]
}

type Settled = Pick<
  Booking,
  | 'status'
  | 'cashPaymentAmount'
  | 'cardPaymentAmount'
  | 'usedWalletMoney'
  | 'customer_paid'
  | 'cancellation_fee'
>

/**
 * How the trip was paid: each way with its amount, those without one left out; and, below zero, what of it went back to
 * the wallet when the trip ended, because less was due than had been paid in advance.
 */
export function paidBy(trip: Settled): { key: string; amount: Amount }[] {
  return [
    { key: 'trip.paid_cash', amount: trip.cashPaymentAmount },
    { key: 'trip.paid_wallet', amount: trip.usedWalletMoney },
    { key: 'trip.paid_card', amount: trip.cardPaymentAmount },
    { key: 'trip.paid_back', amount: -surplusOf(trip) },
  ].filter(({ amount }) => amount !== 0)
}

/** What was paid beyond what was due in the end; 0 while the trip has not ended. */
function surplusOf(trip: Settled): Amount {
  const isSettled = trip.status === 'PAID' || trip.status === 'COMPLETE' || trip.status === 'CANCELLED'
  if (!isSettled) return 0
  const due = trip.status === 'CANCELLED' ? trip.cancellation_fee : trip.customer_paid
  return Math.max(0, trip.cashPaymentAmount + trip.usedWalletMoney + trip.cardPaymentAmount - due)
}

/** Whether there is a receipt: for a trip that was paid, and for a cancelled one that cost a fee. */
export function hasReceipt({
  status,
  cancellation_fee,
}: Pick<Booking, 'status' | 'cancellation_fee'>): boolean {
  return status === 'PAID' || status === 'COMPLETE' || (status === 'CANCELLED' && cancellation_fee > 0)
}
