import { randomBytes } from 'node:crypto'
import type { Role } from '@hansom/domain/users/roles'
import { uuidv7 } from 'uuidv7'
import { signedToken } from './features/accounts/find-session.ts'
import type { TestDatabase } from './platform/database/test-database.ts'

/**
 * All kinds of callers: the people of one booking and one fleet, strangers of each role, and a user waiting for
 * approval.
 */
export const sceneUsers = [
  'waiting',
  'rider',
  'otherRider',
  'driver',
  'requested',
  'otherDriver',
  'fleetadmin',
  'otherFleetadmin',
  'admin',
] as const
export type SceneUser = (typeof sceneUsers)[number]

export const roleOf: Record<SceneUser, Role> = {
  waiting: 'rider',
  rider: 'rider',
  otherRider: 'rider',
  driver: 'driver',
  requested: 'driver',
  otherDriver: 'driver',
  fleetadmin: 'fleetadmin',
  otherFleetadmin: 'fleetadmin',
  admin: 'admin',
}

export interface Scene {
  ids: Record<SceneUser, string>
  bearers: Record<SceneUser, string>
  sessions: Record<SceneUser, string>
  booking: string
  /** A saved address of the rider. */
  address: string
  /** A push device of the rider. */
  device: string
  /** A saved recipient of the rider. */
  recipient: string
  /** A file of deliveries of the rider. */
  file: string
  /** A failed payment attempt of the rider for the booking. */
  payment: string
}

export async function createCarType({ pool }: TestDatabase): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
      convenience_fee_type, cancel_slab, created_at)
      values ($1, 'Economy', 200000, 100000, 600000, 500000, 100000, 'percentage', '[]', 0)`,
    [id],
  )
  return id
}

/** Makes mobile numbers unique in a database. */
let mobiles = 0

/**
 * Creates the complete cast, each signed in, around one booking: assigned to the driver if `isAssigned`, otherwise
 * requested from the requested driver.
 */
export async function createScene(
  { pool }: TestDatabase,
  secret: string,
  { carType, isAssigned }: { carType: string; isAssigned: boolean },
): Promise<Scene> {
  const forEachMember = <T>(make: () => T) =>
    Object.fromEntries(sceneUsers.map((member) => [member, make()])) as Record<SceneUser, T>
  const ids = forEachMember(uuidv7)
  const sessions = forEachMember(uuidv7)
  const tokens = forEachMember(() => randomBytes(16).toString('hex'))
  const [booking, address, payment, recipient, file, device] = Array.from({ length: 6 }, uuidv7) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const people = sceneUsers.map((member) => ({
    id: ids[member],
    created_at: 0,
    first_name: 'Test',
    last_name: member,
    email: `${member}-${ids[member]}@x.test`,
    mobile: `+598${String((mobiles += 1)).padStart(9, '0')}`,
    usertype: roleOf[member],
    approved: member !== 'waiting',
    referral_id: ids[member],
    fleetadmin: member === 'driver' ? ids.fleetadmin : null,
    car_type_id: roleOf[member] === 'driver' ? carType : null,
    driver_active_status: roleOf[member] === 'driver',
    created_by_admin: false,
    login_type: 'email',
    wallet_balance: 0,
    rating_sum: 0,
    rating_count: 0,
    queue: member === 'driver' && isAssigned,
    demo: false,
    version: 1,
  }))
  await pool.query('insert into users select * from jsonb_populate_recordset(null::users, $1)', [
    JSON.stringify(people),
  ])
  await pool.query(
    `with people as (select * from jsonb_to_recordset($1) as p(id uuid, email text, session uuid, token text)),
      known as (insert into auth_users (id, name, email, email_verified) select id, 'x', email, true from people)
    insert into auth_sessions (id, token, user_id, expires_at) select session, token, id, now() + interval '1 day' from people`,
    [
      JSON.stringify(
        people.map(({ id, email }, index) => {
          const member = sceneUsers[index] as SceneUser
          return { id, email, session: sessions[member], token: tokens[member] }
        }),
      ),
    ],
  )
  await pool.query(
    `insert into bookings (id, booking_id, status, car_type_id, car_type, fare_rule, cancel_slab, decimal, convert_to_mile,
      currency, customer, customer_name, customer_email, driver, fleetadmin, pickup, drop, route, estimate, estimate_distance,
      estimate_time, tripdate, booking_date, book_later, trip_cost, convenience_fees, driver_share, fare_parts, payment_mode)
      values ($1, $1::uuid::text, $2, $3, 'Economy', '{}', '[]', 0, false, 'UYU', $4, 'Rider', 'r@x.test', $5, $6, $7, $7, '',
        0, 1, 1, $8, $8, false, 0, 0, 0, $9, 'cash')`,
    [
      booking,
      isAssigned ? 'ACCEPTED' : 'NEW',
      carType,
      ids.rider,
      isAssigned ? ids.driver : null,
      isAssigned ? ids.fleetadmin : null,
      { lat: -34.9, lng: -56.17, add: 'a' },
      Date.now(),
      {
        base: 0,
        distance: 0,
        time: 0,
        extras: 0,
        minimum_top_up: 0,
        trip_cost: 0,
        convenience_fees: 0,
        driver_share: 0,
      },
    ],
  )
  if (!isAssigned)
    await pool.query(
      `insert into booking_requests (booking_id, driver_id, wave, requested_at, expires_at, pickup_km, pickup_s)
      values ($1, $2, 1, $3, null, 1, 60)`,
      [booking, ids.requested, Date.now()],
    )
  await pool.query(
    `insert into saved_addresses (id, user_id, description, lat, lng) values ($1, $2, 'Home', 0, 0)`,
    [address, ids.rider],
  )
  await pool.query(
    `insert into push_devices (id, user_id, session_id, kind, token, closable, created_at, seen_at)
      values ($1, $2, $3, 'fcm', $1::uuid::text, true, 0, 0)`,
    [device, ids.rider, sessions.rider],
  )
  await pool.query(
    `insert into address_book (id, user_id, person, phone, place) values ($1, $2, 'Ada', '099 111 222', $3)`,
    [recipient, ids.rider, { lat: 0, lng: 0, add: 'Home' }],
  )
  await pool.query(
    `insert into delivery_imports (id, user_id, by_user, name, created_at, hash) values ($1, $2, $2, 'a.csv', 0, 'x')`,
    [file, ids.rider],
  )
  await pool.query(
    `insert into payments (id, provider, live, booking, code, number, reference, payer, payer_name, amount, currency,
      state, created_at, opened_at, closed)
      values ($1, 'stripe', false, $2, $2::uuid::text, 1, $2::uuid::text || '-1', $3, 'Rider', 1, 'UYU', 'failed', 0, 0,
        true)`,
    [payment, booking, ids.rider],
  )
  const bearers = Object.fromEntries(
    sceneUsers.map((member) => [member, `Bearer ${signedToken(tokens[member], secret)}`]),
  ) as Scene['bearers']
  return { ids, bearers, sessions, booking, address, device, recipient, file, payment }
}
