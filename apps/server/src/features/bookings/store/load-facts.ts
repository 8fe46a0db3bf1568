import { outstandingOf } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import type { DriverFacts, RiderFacts } from '@hansom/domain/bookings/facts'
import type { CreateFacts } from '@hansom/domain/bookings/new-booking'
import type { Promo, WantedPromo } from '@hansom/domain/fare/promo'
import { averageRating } from '@hansom/domain/users/profile'
import type { Pool, PoolClient } from 'pg'
import type { CountedRider, RiderCounts } from './apply-decision.ts'
import {
  bookingJson,
  type RequestRow,
  type RiderOwes,
  readRiderOwes,
  requestJson,
  riderOwes,
} from './read-bookings.ts'

/** Everything from the database that a command needs, read in one statement. */
export interface LoadedFacts {
  booking: Booking
  /** All drivers who were asked, including expired requests. */
  requests: RequestRow[]
  rider: RiderFacts
  riderRating: number | null
  /** The requested driver, otherwise the booking's; null if there is neither. */
  driver: DriverFacts | null
  /** Set if the command of the idempotency key has already run. */
  kept: { body_hash: string } | null
}

interface FactsRow {
  booking: object
  requests: object[]
  rider: { owes: RiderOwes; rating_sum: number; rating_count: number }
  driver: UserFacts | null
  kept: LoadedFacts['kept']
}

/** A row of the view user_facts. */
interface UserFacts {
  id: string
  usertype: DriverFacts['usertype']
  approved: boolean
  queue: boolean
  driver_active_status: boolean
  lat: number | null
  lng: number | null
  located_at: number | null
  car_type_id: string | null
  wallet_balance: number
  first_name: string
  last_name: string
  preferred_name: string | null
  email: string
  profile_image: string | null
  mobile: string | null
  vehicle_number: string | null
  vehicle_make: string | null
  vehicle_model: string | null
  rating_sum: number
  rating_count: number
  fleetadmin: string | null
}

/**
 * Loads a booking with the facts for a command on it, in one statement and without a lock: the decision is applied only
 * if the booking still has the version read here. Null for an unknown booking.
 */
export async function loadFacts(
  queries: Pool | PoolClient,
  booking: string,
  driver: string | null,
  scope: string | null,
): Promise<LoadedFacts | null> {
  const reply = await queries.query<FactsRow>({
    name: 'booking-facts',
    text: `select to_jsonb(b) as booking,
        (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests,
        (select jsonb_build_object('owes', ${riderOwes}, 'rating_sum', c.rating_sum,
          'rating_count', c.rating_count) from user_facts c where c.id = b.customer) as rider,
        (select to_jsonb(d) from user_facts d where d.id = coalesce($2, b.driver)) as driver,
        (select jsonb_build_object('body_hash', i.body_hash)
          from idempotency_keys i where i.scope = $3) as kept
      from bookings b where b.id = $1`,
    values: [booking, driver, scope],
  })
  const row = reply.rows[0]
  if (!row) return null
  return {
    booking: bookingJson.read(row.booking),
    requests: row.requests.map((request) => requestJson.read(request)),
    rider: readRiderOwes(row.rider.owes),
    riderRating: ratingOf(row.rider),
    driver: row.driver && driverFacts(row.driver),
    kept: row.kept,
  }
}

function ratingOf({ rating_sum, rating_count }: { rating_sum: number; rating_count: number }): number | null {
  return rating_count === 0 ? null : averageRating(rating_sum, rating_count)
}

function driverFacts(row: UserFacts): DriverFacts {
  return {
    id: row.id,
    usertype: row.usertype,
    approved: row.approved,
    queue: row.queue,
    driverActiveStatus: row.driver_active_status,
    location: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng },
    located_at: row.located_at,
    carType: row.car_type_id,
    walletBalance: row.wallet_balance,
    name: nameOf(row),
    image: row.profile_image,
    contact: row.mobile,
    vehicle_number: row.vehicle_number,
    vehicle_make: row.vehicle_make,
    vehicle_model: row.vehicle_model,
    rating: ratingOf(row),
    fleetadmin: row.fleetadmin,
  }
}

/** Facts from the database for a new booking. */
interface LoadedCreateFacts {
  customer: CreateFacts['customer']
  riderRating: number | null
  /** The customer's outstanding amount. */
  outstanding: number
  carType: CreateFacts['carType']
  promo: WantedPromo | null
  counts: RiderCounts
  /** The booking that the idempotency key has already created. */
  kept: { body_hash: string; booking: string } | null
}

interface CreateLookup {
  customer: string | null
  car_type_id: string
  promo: string | null
  /** Latest tripdate for which later trips are dispatched. */
  due: number
  /** Scope of the idempotency key. */
  scope: string | null
}

interface CreateFactsRow {
  customer: UserFacts | null
  owes: RiderOwes | null
  car_type: CreateFacts['carType']
  promo: Promo | null
  counts: RiderCounts
  kept: LoadedCreateFacts['kept']
}

/** A rider's open bookings and their uses or reservations of a promo, for a commit that requires them unchanged. */
export async function countForPromo(pool: Pool, customer: string, promo: string): Promise<CountedRider> {
  const due = 0
  const { rows } = await pool.query<{ counts: RiderCounts }>('select rider_counts($1, $2, $3) as counts', [
    customer,
    due,
    promo,
  ])
  const { counts } = rows[0] as { counts: RiderCounts }
  return { customer, due, promo, counts }
}

/** Loads the facts in one statement. */
export async function loadCreateFacts(pool: Pool, lookup: CreateLookup): Promise<LoadedCreateFacts> {
  const reply = await pool.query<CreateFactsRow>({
    name: 'booking-create-facts',
    text: `select (select to_jsonb(u) from user_facts u where u.id = $1 and u.deleted_at is null) as customer,
      (select ${riderOwes} from user_facts c where c.id = $1) as owes,
      (select to_jsonb(t) from car_type_facts t where t.id = $2 and not t.is_archived) as car_type,
      to_jsonb(promo) as promo, rider_counts($1, $5, promo.id) as counts,
      (select jsonb_build_object('body_hash', i.body_hash, 'booking', i.result_id)
        from idempotency_keys i where i.scope = $4) as kept
      from (select) one left join usable_promos promo on promo.promo_name = $3::citext`,
    values: [lookup.customer, lookup.car_type_id, lookup.promo?.trim() ?? null, lookup.scope, lookup.due],
  })
  const row = reply.rows[0] as CreateFactsRow
  return {
    customer: row.customer && customerFacts(row.customer),
    outstanding: row.owes ? outstandingOf(readRiderOwes(row.owes)) : 0,
    riderRating: row.customer && ratingOf(row.customer),
    carType: row.car_type,
    promo: row.promo && { ...row.promo, used_by_rider: row.counts.promo_uses },
    counts: row.counts,
    kept: row.kept,
  }
}

const nameOf = ({ first_name, last_name, preferred_name }: UserFacts) =>
  `${preferred_name || first_name} ${last_name}`.trim()

function customerFacts(user: UserFacts): CreateFacts['customer'] {
  return {
    id: user.id,
    usertype: user.usertype,
    name: nameOf(user),
    contact: user.mobile,
    email: user.email,
    image: user.profile_image,
    walletBalance: user.wallet_balance,
  }
}

/** True if a driver was ever asked for a booking, even if no request is left. */
export async function wasOffered(pool: Pool, booking: string, driver: string): Promise<boolean> {
  const reply = await pool.query({
    name: 'driver-was-told',
    text: 'select from booking_notifications where user_id = $1 and booking = $2 limit 1',
    values: [driver, booking],
  })
  return reply.rowCount === 1
}
