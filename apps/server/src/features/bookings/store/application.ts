import type { Booking } from '@hansom/domain/bookings/booking'
import type { OtherTripSettled, BookingEvent, Effect } from '@hansom/domain/bookings/decision'
import type { OpenBookings } from '@hansom/domain/bookings/open-limits'
import type { Entry } from '@hansom/domain/wallet/ledger'
import type { NewEvent } from '../../../platform/outbox/event.ts'
import type { RequestRow } from './rows.ts'

/**
 * The counts of a rider's open bookings. `due` is the latest tripdate for which later trips are dispatched; `promo` is
 * the requested promo.
 */
export interface CountedRider {
  customer: string
  due: number
  promo: string | null
  counts: RiderCounts
}

export interface RiderCounts extends OpenBookings {
  promo_uses: number
}

/** Everything that one commit writes. */
export interface Application {
  /** The booking of the decision as read; a new one if `isNew`. */
  booking: Booking
  isNew: boolean
  changes: Partial<Booking>
  /** Other bookings paid by the same money. */
  also: readonly OtherTripSettled[]
  entries: readonly Entry[]
  effects: readonly Effect[]
  event: BookingEvent
  /** Rows for the drivers who are asked. */
  requests: readonly RequestRow[]
  /** Users whose wallet balance must not end below zero. */
  mustStayNonNegative: readonly string[]
  /** The driver whose request must still be active. */
  answeredBy: string | null
  /** The client's key; a repeated request gets the booking as its response. */
  idempotency: { scope: string; body_hash: string } | null
  outboxEvents: readonly NewEvent[]
  /** Counts of the rider's bookings that must be unchanged at commit; null if none were used. */
  assumedCounts: CountedRider | null
  /** Refuse while an attempt to pay the booking is in progress. */
  unlessPaying: boolean
}
