import type { Booking } from '@hansom/domain/bookings/booking'
import type { DriverFacts, RiderFacts } from '@hansom/domain/bookings/facts'
import { averageRating } from '@hansom/domain/users/rating'
import type { Pool, PoolClient } from 'pg'
import { type RiderOwes, readRiderOwes, riderOwes } from './rider-owes.ts'
import { bookingJson, type RequestRow, requestJson } from './rows.ts'

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
  driver: DriverJson | null
  kept: LoadedFacts['kept']
}

interface DriverJson {
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
          'rating_count', c.rating_count) from users c where c.id = b.customer) as rider,
        (select to_jsonb(d) from users d where d.id = coalesce($2, b.driver)) as driver,
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

function driverFacts(row: DriverJson): DriverFacts {
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
    name: `${row.first_name} ${row.last_name}`.trim(),
    image: row.profile_image,
    contact: row.mobile,
    vehicle_number: row.vehicle_number,
    vehicle_make: row.vehicle_make,
    vehicle_model: row.vehicle_model,
    rating: ratingOf(row),
    fleetadmin: row.fleetadmin,
  }
}
