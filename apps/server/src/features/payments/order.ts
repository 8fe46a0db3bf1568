import { randomBytes } from 'node:crypto'
import type { PaymentOrder } from '@hansom/contract/payments'
import type { Actor } from '@hansom/domain/access/relation'
import { isByCard, toCollect } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import { isIncomplete } from '@hansom/domain/bookings/cancel'
import { bookingCode } from '@hansom/domain/bookings/new-booking'
import { isOneOf } from '@hansom/domain/bookings/status'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import { type Amount, plainAmount, toAmount, unit } from '@hansom/domain/money/amount'
import { isPayable } from '@hansom/domain/wallet/withdraw'
import { uuidv7 } from 'uuidv7'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { UserRow } from '../users/table.ts'
import { isOpen, type PaymentsDeps } from './attempt.ts'
import { findOrderId, readTopUp } from './store.ts'
import { type PaymentRow, topUpsTable } from './table.ts'

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
 * The order for a booking or top-up of the actor, by its ID or code, if it can be paid by card now. Throws not_found,
 * already_paid, wrong_status.
 */
export async function findOrder(deps: PaymentsDeps, actor: Actor, idOrCode: string): Promise<PayableOrder> {
  const found = await findOrderId(deps.database.pool, actor.id, idOrCode)
  if (found === null) throw new Refusal('not_found')
  if (found.kind === 'top_up') {
    const topUp = await readTopUp(deps.database.db, found.id)
    if (topUp === null) throw new Refusal('not_found')
    if (topUp.isPaid) throw new Refusal('already_paid')
    const { id, code, uid, amount, currency } = topUp
    return { id, kind: 'top_up', code, payer: uid, amount, currency, version: null }
  }
  const record = await deps.bookings.get({ id: actor.id, role: 'rider', approved: true }, found.id)
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
    const { booking, outstanding } = await bookings.get(
      { id: row.payer, role: 'rider', approved: true },
      row.booking,
    )
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

/** The fields of the form posted to a provider's link, in order. */
export function formFields(
  order: PayableOrder,
  payer: Pick<UserRow, 'id' | 'firstName' | 'lastName' | 'mobile' | 'email'>,
  appName: string,
): PaymentOrder['fields'] {
  const fields = {
    order_id: order.id,
    amount: amountText(order.amount),
    currency: order.currency,
    product_name: `${appName} ${order.code}`,
    first_name: payer.firstName,
    last_name: payer.lastName,
    quantity: '1',
    cust_id: payer.id,
    mobile_no: payer.mobile ?? '',
    email: payer.email ?? '',
  }
  return Object.entries(fields).map(([name, value]) => ({ name, value }))
}

/** In currency units with two decimals, or four if needed. */
function amountText(amount: Amount): string {
  return plainAmount(amount, amount % 100 === 0 ? 2 : 4)
}

/**
 * Refuses a form that shows the payer something other than the order. Only mismatches matter: the values themselves are
 * read from the order. Throws fare_changed for another amount, conflict for another currency or person.
 */
export function refuseOtherOrder(posted: URLSearchParams, order: PayableOrder): void {
  const amount = posted.get('amount')
  if (amount !== null && amountOf(amount) !== order.amount) throw new Refusal('fare_changed')
  const [currency, customer] = [posted.get('currency'), posted.get('cust_id')]
  if (currency !== null && currency.toUpperCase() !== order.currency) throw new Refusal('conflict')
  if (customer !== null && customer !== order.payer) throw new Refusal('conflict')
}

function amountOf(text: string): Amount | null {
  return /^\d{1,11}(\.\d{1,4})?$/.test(text.trim()) ? toAmount(Number(text) * unit) : null
}

/** Creates an order to add money to the user's wallet, once per key. */
export async function makeTopUp(
  deps: PaymentsDeps,
  uid: string,
  amount: Amount,
  key: string | null,
): Promise<string> {
  const { database, clock, providers } = deps
  const settings = await deps.settings.current()
  if (!isPayable(amount, settings)) {
    throw new Refusal('no_details_error', { fields: [{ field: 'amount', error: 'no_details_error' }] })
  }
  const { topUpLimit } = settings
  if (topUpLimit > 0 && amount > topUpLimit) {
    throw new Refusal('top_up_too_much', { fields: [{ field: 'amount', error: 'top_up_too_much' }] })
  }
  if (!providers.all.some((provider) => provider.accepts(settings.code, amount))) {
    throw new Refusal('no_provider_found')
  }
  const at = clock.now()
  return database.withTransaction((tx) =>
    idempotent(tx, { user: uid, command: 'payments.topUp', key, body: { amount }, at }, async () => {
      const id = uuidv7()
      const { code: currency } = settings
      await tx.db.insert(topUpsTable).values({ id, code: newCode(), uid, amount, currency, created_at: at })
      return id
    }),
  )
}

/** Seven characters: one more than a booking_id, so references never collide with those of trips. */
function newCode(): string {
  const randoms = Array.from({ length: 6 }, () => randomBytes(4).readUInt32BE() / 2 ** 32)
  return `W${bookingCode(randoms)}`
}
