import { dueOf } from '../bookings/amounts.ts'
import type { Booking } from '../bookings/booking.ts'
import type { Outcome } from '../bookings/decision.ts'
import { Refusal } from '../error-keys.ts'
import type { Amount } from '../money/amount.ts'
import { cashPayment, promoPayment } from '../wallet/trip-entries.ts'
import { type Delivery, dropsOf, type StopWithProofs } from './delivery.ts'

/** The fields of a booking that its cash depends on. */
export type PaidBooking = Pick<Booking, 'payment_mode' | 'prepaid'> & Parameters<typeof dueOf>[0]

/**
 * The cash that the courier collects before this stop can be closed, or null: from the sender at the pickup, or from the
 * recipient at the last drop. The return leg is due from the sender, and so are earlier debts.
 */
export function cashDueAt(
  booking: PaidBooking,
  delivery: Pick<Delivery, 'cash_at' | 'return_leg' | 'stops'>,
  { n, kind, outcome }: Pick<StopWithProofs, 'n' | 'kind' | 'outcome'>,
): Amount | null {
  if (booking.payment_mode !== 'cash' || booking.prepaid || outcome !== null) return null
  const isHere = delivery.cash_at === 'drop' ? n === dropsOf(delivery).at(-1)?.n : kind === 'pickup'
  if (!isHere) return null
  const isReturning = delivery.stops.some((stop) => stop.kind === 'return')
  const due = dueOf(booking) - (isReturning ? delivery.return_leg.cost : 0)
  return due > 0 ? due : null
}

/**
 * Records the cash of a stop: the courier owes it, the escrow has it, and the delivery is paid in advance from then on.
 * Refused with proof_needed without an amount, with amount_changed if the courier collected a different one.
 */
export function takeCash(
  booking: Booking,
  due: Amount | null,
  collected: Amount | undefined,
): Pick<Outcome, 'changes' | 'entries'> | Refusal {
  if (due === null && !collected) return {}
  if (collected === undefined) return new Refusal('proof_needed', { data: { missing: ['cash'] } })
  if (due === null || collected !== due) {
    const amount = due ?? 0
    return new Refusal('amount_changed', {
      data: { collect: { trip: amount, outstanding: 0, total: amount } },
    })
  }
  if (booking.driver === null) throw new Error(`booking ${booking.id} has no driver to collect cash`)
  return {
    changes: {
      prepaid: true,
      cash_answer: 'trip',
      cashPaymentAmount: due,
      customer_paid: booking.usedWalletMoney + booking.cardPaymentAmount + due,
      payableAmount: Math.max(0, dueOf({ ...booking, cashPaymentAmount: due })),
    },
    entries: [
      ...cashPayment(booking.id, booking.driver, due),
      ...promoPayment(booking.id, booking.discount_amount),
    ],
  }
}
