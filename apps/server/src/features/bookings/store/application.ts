import type { Booking } from '@hansom/domain/bookings/booking'
import type { AlsoSettled, BookingEvent, Effect } from '@hansom/domain/bookings/decision'
import type { OpenBookings } from '@hansom/domain/bookings/open-limits'
import type { Entry } from '@hansom/domain/wallet/ledger'
import type { NewEvent } from '../../../platform/outbox/event.ts'
import type { RequestRow } from './rows.ts'

/** A rider, up to which tripdate drivers are asked for later trips, the promo that is wanted, and what was found. */
export interface CountedRider {
  customer: string
  due: number
  promo: string | null
  counts: RiderCounts
}

export interface RiderCounts extends OpenBookings {
  promo_uses: number
}

/** What is written in one commit. */
export interface Application {
  /** The booking the decision is about, as it was read; a new one when `isNew`. */
  booking: Booking
  isNew: boolean
  changes: Partial<Booking>
  /** Other bookings that the same money pays. */
  also: readonly AlsoSettled[]
  entries: readonly Entry[]
  effects: readonly Effect[]
  event: BookingEvent
  /** Rows for the drivers who are asked. */
  requests: readonly RequestRow[]
  /** Users whose wallet must not end below zero. */
  floored: readonly string[]
  /** The driver whose request must still stand. */
  answeredBy: string | null
  /** The client's key; a repetition is answered with the booking. */
  idempotency: { scope: string; body_hash: string } | null
  news: readonly NewEvent[]
  /** What was counted of the rider's own bookings and still has to be so; null where nothing was. */
  counted: CountedRider | null
  /** Not while an attempt to pay the booking is under way. */
  unlessPaying: boolean
}
