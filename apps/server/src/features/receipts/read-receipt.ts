import type { Receipt } from '@hansom/contract/receipts'
import { fareToPay } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import { type Delivery, dropsOf } from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import { isPaymentProvider } from '@hansom/domain/payments/providers'
import { hasReceipt, paidBy, receiptLines } from '@hansom/domain/receipts/receipt-lines'
import { taxLines } from '@hansom/domain/receipts/tax'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { RefundsService } from '../refunds/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { issuedReceipt, issueReceipt } from './issue-receipt.ts'

export interface ReceiptSources {
  database: Database
  clock: Clock
  settings: { current(): Promise<CurrentSettings> }
  refunds: Pick<RefundsService, 'ofBooking'>
}

/**
 * The receipt of a booking, which is issued now if it has none: a trip of an earlier release, or whose event is not
 * delivered yet. Throws wrong_status if nothing was paid for it.
 */
export async function receiptOf(
  { database, clock, settings, refunds }: ReceiptSources,
  { booking, delivery }: { booking: Booking; delivery: Delivery | null },
): Promise<Receipt> {
  if (!hasReceipt(booking)) throw new Refusal('wrong_status')
  const current = await settings.current()
  const at = clock.now()
  const issued =
    (await issuedReceipt(database.db, booking.id)) ??
    (await database.withTransaction((tx) => issueReceipt(tx, current, { booking: booking.id, at })))
  const { sources, refunds: made } = await refunds.ofBooking(booking.id)
  const references = await referencesOf(
    database.pool,
    sources.flatMap(({ payment }) => payment ?? []),
  )
  const cards = sources.filter(({ source }) => source === 'card')
  const vehicle = [booking.vehicle_make, booking.vehicle_model, booking.vehicle_number]
  const lines = receiptLines({ ...booking, viewer: 'rider' })
  const back = made.filter(({ state }) => state !== 'failed')
  const isCancelled = booking.status === 'CANCELLED'
  const due = isCancelled ? booking.cancellation_fee : fareToPay(booking)
  const refunded = back.reduce((sum, { amount }) => sum + amount, 0)
  const paid = isCancelled ? booking.cancellation_fee : booking.customer_paid
  return {
    booking: booking.id,
    serial: issued.serial,
    number: booking.booking_id,
    issued_at: issued.issued_at,
    status: booking.status,
    currency: booking.currency,
    decimal: booking.decimal,
    operator: { ...issued.issuer, website: current.CompanyWebsite, email: current.contact_email },
    rider: { name: booking.customer_name, email: booking.customer_email },
    driver:
      booking.driver === null
        ? null
        : { name: booking.driver_name ?? '', vehicle: vehicle.filter(Boolean).join(' ') },
    carType: booking.carType,
    from: booking.pickup.add,
    to: booking.drop.add,
    parcel: [delivery?.parcel_type, delivery?.option].flatMap((chosen) => chosen?.description ?? []),
    stops: delivery ? dropsOf(delivery).map(({ place, outcome }) => ({ address: place.add, outcome })) : [],
    begun_at: booking.trip_start_time,
    ended_at: booking.trip_end_time,
    distance: booking.distance,
    seconds: booking.total_trip_time,
    lines,
    tax: taxLines({ ...booking, due }, issued.tax),
    paid: paidBy({ ...booking, viewer: 'rider' }).flatMap(({ key, amount }) => {
      // Lists card payments individually if they are known.
      if (key !== 'trip.paid_card' || cards.length === 0)
        return [{ key, amount, provider: null, reference: null }]
      // A payment may also cover the rider's outstanding amount, which has a separate line.
      const more = Math.max(0, cards.reduce((sum, card) => sum + card.paid, 0) - amount)
      return cards.map((card, index) => ({
        key,
        amount: index === 0 ? card.paid - more : card.paid,
        provider: card.provider !== null && isPaymentProvider(card.provider) ? card.provider : null,
        reference: references.get(card.payment ?? '') ?? null,
      }))
    }),
    refunds: back.map(({ id, at, amount, source, state, reason }) => ({
      id,
      at,
      amount,
      source,
      state,
      reason,
    })),
    outstanding: booking.outstanding_collected,
    net: paid - refunded,
    net_tax: refunded === 0 ? [] : taxLines({ ...booking, due: due - refunded }, issued.tax),
  }
}

async function referencesOf(pool: Pool, payments: readonly string[]): Promise<Map<string, string>> {
  if (payments.length === 0) return new Map()
  const { rows } = await pool.query<{ id: string; reference: string }>(
    'select id, reference from payment_records where id = any($1::uuid[])',
    [payments],
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}
