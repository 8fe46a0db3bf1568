import { isIncomplete } from '@hansom/domain/bookings/advance-payment'
import type { Person } from '@hansom/domain/access/relation'
import { isByCard } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import { toCollect } from '@hansom/domain/bookings/outstanding'
import { isOneOf } from '@hansom/domain/bookings/status'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { isOpen } from './attempt.ts'
import type { PaymentsDeps } from './deps.ts'
import { findOrderId, readTopUp } from './store/orders.ts'
import type { PaymentRow } from './table.ts'

/** An order to pay by card. */
export interface PayableOrder {
  id: string
  kind: 'booking' | 'top_up'
  /** The code shown to people. */
  code: string
  payer: string
  amount: Amount
  currency: string
  /** The booking version that the amount is for. Null for a top-up. */
  version: number | null
}

/**
 * The order for a booking or top-up of the person, by its ID or code, if it can be paid by card now. Throws not_found,
 * already_paid, wrong_status.
 */
export async function findOrder(deps: PaymentsDeps, person: Person, asked: string): Promise<PayableOrder> {
  const found = await findOrderId(deps.database.pool, person.id, asked)
  if (found === null) throw new Refusal('not_found')
  if (found.kind === 'top_up') {
    const topUp = await readTopUp(deps.database.db, found.id)
    if (topUp === null) throw new Refusal('not_found')
    if (topUp.isPaid) throw new Refusal('already_paid')
    const { id, code, uid, amount, currency } = topUp
    return { id, kind: 'top_up', code, payer: uid, amount, currency, version: null }
  }
  const record = await deps.bookings.get({ id: person.id, usertype: 'rider' }, found.id)
  const { booking } = record
  const refusal = refusalOf(booking)
  if (refusal !== null) throw new Refusal(refusal)
  const { id, booking_id: code, customer: payer, currency, version } = booking
  const { total: amount } = toCollect(byCard(booking), record.outstanding)
  return { id, kind: 'booking', code, payer, amount, currency, version }
}

/** True for an open attempt that its booking no longer needs: ended, paid by other means, or another amount is due. */
export async function isLapsed({ bookings }: PaymentsDeps, row: PaymentRow): Promise<boolean> {
  if (row.booking === null || !isOpen(row)) return false
  try {
    const { booking, outstanding } = await bookings.get({ id: row.payer, usertype: 'rider' }, row.booking)
    return refusalOf(booking) !== null || toCollect(byCard(booking), outstanding).total !== row.amount
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

/** A closed trip can be paid by card regardless of its payment method. */
const byCard = (booking: Booking): Booking => ({ ...booking, payment_mode: 'card' })

function refusalOf(booking: Booking): ErrorKey | null {
  if (booking.prepaid || isOneOf(['PAID', 'COMPLETE'], booking.status)) return 'already_paid'
  if (booking.status === 'PENDING') return booking.payableAmount > 0 ? null : 'already_paid'
  if (isIncomplete(booking)) return 'cancelled_incomplete_booking'
  const isAwaited = booking.status === 'PAYMENT_PENDING' && isByCard(booking.payment_mode)
  return isAwaited && booking.payableAmount > 0 ? null : 'wrong_status'
}
