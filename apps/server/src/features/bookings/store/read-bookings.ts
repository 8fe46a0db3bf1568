import type { RequestedBooking } from '@hansom/domain/access/visible-booking'
import { outstandingOf } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import type { DriverFacts, RiderFacts } from '@hansom/domain/bookings/facts'
import type { Delivery } from '@hansom/domain/deliveries/delivery'
import type { Refusal } from '@hansom/domain/error-keys'
import { averageRating } from '@hansom/domain/users/profile'
import type { Pool, PoolClient } from 'pg'
import { rowJson } from '../../../platform/database/columns.ts'
import {
  type BookingRow,
  bookingEventsTable,
  bookingRequestsTable,
  bookingsTable,
  trackingTable,
} from '../table.ts'

/** A row is a booking: same names, same units. */
export const bookingJson = rowJson<Booking & BookingRow>(bookingsTable)
export const eventJson = rowJson<typeof bookingEventsTable.$inferSelect>(bookingEventsTable)
export const requestJson = rowJson<RequestRow>(bookingRequestsTable)
export const trackingJson = rowJson<typeof trackingTable.$inferInsert>(trackingTable)

/** A request to a driver. */
export type RequestRow = typeof bookingRequestsTable.$inferSelect

/** The requests active at `now`: they expire on time even if no job has run since. */
export function activeRequests(requests: readonly RequestRow[], now: number): RequestRow[] {
  return requests.filter((request) => request.expires_at === null || request.expires_at > now)
}

/** The result of `riderOwes`. */
export interface RiderOwes {
  balance: number
  trips: object[]
}

/** SQL for the facts that debt rules need about the row `c` of user_facts. Most riders owe nothing, which two indexes show. */
export const riderOwes = `jsonb_build_object('balance', c.wallet_balance,
  'trips', case when exists (select from bookings where customer = c.id and status = 'PENDING')
    or exists (select from bookings where customer = c.id and objection = 'open') then owed_trips(c.id) else '[]' end)`

export function readRiderOwes({ balance, trips }: RiderOwes): RiderFacts {
  return { walletBalance: balance, trips: trips.map((one): Booking => bookingJson.read(one)) }
}

/** A booking with its related data and its active requests as stored. */
export interface BookingWithRequests extends RequestedBooking {
  requests: readonly RequestRow[]
}

interface RecordRow {
  booking: object
  delivery: Delivery | null
  requests: object[]
  owes: RiderOwes
  rating_sum: number
  rating_count: number
}

/** SQL for the delivery of the booking `b`; null in the taxi category. */
const deliveryOf = `case when exists (select from delivery_facts f where f.booking_id = b.id)
  then delivery_of(b.id) end as delivery`

const recordColumns = `to_jsonb(b) as booking, ${deliveryOf}, ${riderOwes} as owes, c.rating_sum, c.rating_count,
  (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests`
const recordTables = 'bookings b join user_facts c on c.id = b.customer'

function toRecord(row: RecordRow, now: number): BookingWithRequests {
  const booking = bookingJson.read(row.booking)
  return {
    booking,
    delivery: row.delivery,
    requests: activeRequests(
      row.requests.map((request) => requestJson.read(request)),
      now,
    ),
    outstanding: outstandingOf(readRiderOwes(row.owes), booking),
    riderRating: ratingOf(row),
  }
}

/** One booking with its requests active at `now`, or null. */
export async function readBooking(
  pool: Pool | PoolClient,
  id: string,
  now: number,
): Promise<BookingWithRequests | null> {
  const reply = await pool.query<RecordRow>({
    name: 'read-booking',
    text: `select ${recordColumns} from ${recordTables} where b.id = $1`,
    values: [id],
  })
  return reply.rows[0] ? toRecord(reply.rows[0], now) : null
}

/** Bookings by their IDs, like `readBooking`; unknown IDs are left out. */
export async function readBookings(
  pool: Pool | PoolClient,
  ids: readonly string[],
  now: number,
): Promise<Map<string, BookingWithRequests>> {
  const reply = await pool.query<RecordRow>({
    name: 'read-bookings',
    text: `select ${recordColumns} from ${recordTables} where b.id = any($1::uuid[])`,
    values: [[...new Set(ids)]],
  })
  const found = reply.rows.map((row) => toRecord(row, now))
  return new Map(found.map((record) => [record.booking.id, record]))
}

/** The bookings for which a driver has an active request, oldest request first. */
export async function readRequested(pool: Pool, driver: string, now: number): Promise<BookingWithRequests[]> {
  const reply = await pool.query<RecordRow>({
    name: 'read-requested',
    text: `select ${recordColumns} from booking_requests mine join ${recordTables} on b.id = mine.booking_id
      where mine.driver_id = $1 and b.status = 'NEW' and (mine.expires_at is null or mine.expires_at > $2)
      order by mine.requested_at, b.id`,
    values: [driver, now],
  })
  return reply.rows.map((row) => toRecord(row, now))
}

/** Everything from the database that a command needs, read in one statement. */
export interface LoadedFacts {
  booking: Booking
  delivery: Delivery | null
  /** The numbers of the bookings that a delivery replaces. */
  replaced: string[]
  /** All drivers who were asked, including expired requests. */
  requests: RequestRow[]
  rider: RiderFacts
  riderRating: number | null
  /** The requested driver, otherwise the booking's; null if there is neither. */
  driver: DriverFacts | null
  /** Empty without call numbers: those of masked calls that the rider, this driver, or someone with the same phone already uses. */
  takenLines: string[]
  /** Set if the command of the idempotency key has already run; `result` if it was refused and still changed something. */
  kept: { body_hash: string; result?: KeptRefusal | null } | null
}

/** A refusal under an idempotency key. */
export interface KeptRefusal {
  key: Refusal['key']
  data: Refusal['data'] | null
}

interface FactsRow {
  booking: object
  delivery: Delivery | null
  replaced: string[] | null
  requests: object[]
  rider: { owes: RiderOwes; rating_sum: number; rating_count: number }
  driver: (UserFacts & Pick<DriverFacts, 'trip'> & { lines: string[] | null }) | null
  kept: LoadedFacts['kept']
}

/** A row of the view user_facts. */
export interface UserFacts {
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
  /** Null for a guest. */
  email: string | null
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
  hasCallNumbers = false,
): Promise<LoadedFacts | null> {
  const reply = await queries.query<FactsRow>({
    name: 'booking-facts',
    text: `select to_jsonb(b) as booking, ${deliveryOf},
        case when b.rebooked_from is not null then replaced_numbers(b.rebooked_from) end as replaced,
        (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests,
        (select jsonb_build_object('owes', ${riderOwes}, 'rating_sum', c.rating_sum,
          'rating_count', c.rating_count) from user_facts c where c.id = b.customer) as rider,
        (select to_jsonb(d) || jsonb_build_object('trip', (select jsonb_build_object('status', t.status, 'drop', t.drop)
            from bookings t where t.driver = d.id and t.status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')),
            'lines', case when $4 then lines_in_use(b.customer, d.id) end)
          from user_facts d where d.id = coalesce($2, b.driver)) as driver,
        (select jsonb_build_object('body_hash', i.body_hash, 'result', i.result)
          from idempotency_keys i where i.scope = $3) as kept
      from bookings b where b.id = $1`,
    values: [booking, driver, scope, hasCallNumbers],
  })
  const row = reply.rows[0]
  if (!row) return null
  return {
    booking: bookingJson.read(row.booking),
    delivery: row.delivery,
    replaced: row.replaced ?? [],
    requests: row.requests.map((request) => requestJson.read(request)),
    rider: readRiderOwes(row.rider.owes),
    riderRating: ratingOf(row.rider),
    driver: row.driver && driverFacts(row.driver),
    takenLines: row.driver?.lines ?? [],
    kept: row.kept,
  }
}

export function ratingOf({
  rating_sum,
  rating_count,
}: {
  rating_sum: number
  rating_count: number
}): number | null {
  return rating_count === 0 ? null : averageRating(rating_sum, rating_count)
}

function driverFacts(row: UserFacts & Pick<DriverFacts, 'trip'>): DriverFacts {
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
    trip: row.trip,
  }
}

export const nameOf = ({ first_name, last_name, preferred_name }: UserFacts) =>
  `${preferred_name || first_name} ${last_name}`.trim()
