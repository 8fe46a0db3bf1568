import type { Booking } from '@hansom/domain/bookings/booking'
import type { Pool } from 'pg'
import { type Application, applyDecision } from './apply-decision.ts'
import { type CreateLookup, type LoadedCreateFacts, loadCreateFacts } from './load-create-facts.ts'
import { type BookingWithRequests, type LoadedFacts, loadFacts, readBooking } from './read-bookings.ts'
import { wasOffered } from './read-events.ts'

/**
 * Where bookings are stored, as commands and dispatch need it. PostgreSQL in the product; in memory for simulations, where both
 * pass the same tests.
 */
export interface BookingStore {
  /**
   * What a command reads, without a lock; null for an unknown booking. `scope` is that of an idempotency key. `hasCallNumbers`
   * if calls are masked.
   */
  facts(
    booking: string,
    driver: string | null,
    scope: string | null,
    hasCallNumbers?: boolean,
  ): Promise<LoadedFacts | null>
  createFacts(lookup: CreateLookup): Promise<LoadedCreateFacts>
  /** A booking with its requests active at `now`, or null. */
  read(id: string, now: number): Promise<BookingWithRequests | null>
  /** Writes a decision completely. Throws LostRace, without writing, if the facts have changed. */
  apply(application: Application): Promise<void>
  /** True if a driver was ever asked for a booking, even if no request is left. */
  wasOffered(booking: string, driver: string): Promise<boolean>
  /** The number of the rider's other trips in dispatch: immediate ones, and later ones due before this one. */
  othersSearching(
    booking: Pick<Booking, 'id' | 'customer' | 'tripdate' | 'bookLater' | 'booking_type_admin'>,
  ): Promise<number>
  /** Those of these users who are free drivers of a car type, with their wallet's balance. */
  freeDrivers(ids: readonly string[], car_type_id: string): Promise<{ id: string; wallet_balance: number }[]>
}

export function bookingStore(pool: Pool): BookingStore {
  return {
    facts: (...lookup) => loadFacts(pool, ...lookup),
    createFacts: (lookup) => loadCreateFacts(pool, lookup),
    read: (id, now) => readBooking(pool, id, now),
    apply: (application) => applyDecision(pool, application),
    wasOffered: (booking, driver) => wasOffered(pool, booking, driver),
    async othersSearching({ id, customer, tripdate }) {
      const reply = await pool.query<{ others: number }>({
        name: 'others-searching',
        text: `select count(*)::int as others from bookings where customer = $1 and status = 'NEW' and id <> $2
          and not booking_type_admin and (not book_later or (tripdate, id) < ($3, $2))`,
        values: [customer, id, tripdate],
      })
      return reply.rows[0]?.others ?? 0
    },
    async freeDrivers(ids, car_type_id) {
      if (ids.length === 0) return []
      const { rows } = await pool.query<{ id: string; wallet_balance: number }>({
        name: 'free-drivers',
        text: `select id, wallet_balance from user_facts where id = any($1::uuid[]) and usertype = 'driver' and approved
          and driver_active_status and not queue and car_type_id = $2`,
        values: [ids, car_type_id],
      })
      return rows
    },
  }
}
