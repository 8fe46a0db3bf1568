import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Pool } from 'pg'
import { hashPassword } from './features/accounts/password-hash.ts'
import { testPassword } from './test-app.ts'

const migrations = join(import.meta.dirname, '../migrations')
const ofFirstRelease = 38

/** Migrates to the schema of the first release, up to 0037. */
export const migrateToFirstRelease = (pool: Pool): Promise<void> => migrateBefore(pool, ofFirstRelease)

/** Migrates to the schema before the migration of this number. */
export async function migrateBefore(pool: Pool, number: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hansom-first-release-'))
  try {
    cpSync(migrations, folder, { recursive: true })
    const journal = join(folder, 'meta/_journal.json')
    const { entries, ...more } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { idx: number }[] }
    writeFileSync(journal, JSON.stringify({ ...more, entries: entries.filter(({ idx }) => idx < number) }))
    await migrate(drizzle(pool), { migrationsFolder: folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`
const unit = 10_000

export const people = {
  rider: id(1),
  driver: id(2),
  withdrawer: id(3),
  twin: id(4),
  otherTwin: id(5),
  national: id(6),
  social: id(7),
}
export const trips = { complete: id(11), unpaid: id(12), cancelled: id(13), arrived: id(14) }
export const withdrawals = { older: id(21), newer: id(22) }
export const notices = { old: id(31), recent: id(32) }

/** Phone numbers as users typed them. */
const numbers: Record<keyof typeof people, string | null> = {
  rider: '+598099123401',
  driver: '+59899123402',
  withdrawer: null,
  twin: '+59899123404',
  otherTwin: '+598 099 123404',
  national: '099 123 406',
  social: '+5980 99123407',
}

interface Leg {
  account: string
  amount: number
}

/**
 * Adds the data of a used installation of the first release, from about a day before `now`: a rider with a negative
 * balance and an unpaid trip, a driver credited with an unpaid fee, withdrawals exceeding the balance, a trip with its
 * track, one in progress, notifications and a provider's message.
 */
export async function addOldRows(pool: Pool, now: number): Promise<void> {
  const { rider, driver, withdrawer } = people
  const at = now - 86_400_000
  await pool.query(`insert into settings (value) values ('{"negativeBalance": false, "code": "UYU"}')`)
  for (const [name, uid] of Object.entries(people)) {
    await pool.query(
      `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id, mobile, login_type)
        values ($1, 5, 'A', 'B', $2 || '@x.test', $3, true, $2, $4, $5)`,
      [
        uid,
        name,
        name === 'driver' ? 'driver' : 'rider',
        numbers[name as keyof typeof people],
        name === 'social' ? 'apple' : 'email',
      ],
    )
  }
  await pool.query(
    `insert into auth_users (id, name, email, email_verified) values ($1, 'A B', 'rider@x.test', true)`,
    [rider],
  )
  await pool.query(
    `insert into auth_accounts (id, account_id, provider_id, user_id, password) values ($1, ($2::uuid)::text, 'credential', $2, $3)`,
    [id(80), rider, await hashPassword(testPassword)],
  )
  await pool.query(
    `insert into car_types (id, created_at, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare,
        convenience_fees, convenience_fee_type) values ($1, 0, 'Car', 0, 0, 0, 0, 0, 'flat')`,
    [id(90)],
  )
  const trip = (
    booking: string,
    status: string,
    more: { payable?: number; cancelledBy?: string; arrived?: number; ended?: number; fee?: number },
  ) => {
    const { payable = 0, cancelledBy = null, arrived = null, ended = null, fee = 0 } = more
    const fare = { base: payable, distance: 0, time: 0, extras: 0, minimum_top_up: 0, convenience_fees: 0 }
    return pool.query(
      `insert into bookings (id, booking_id, status, car_type_id, car_type, fare_rule, cancel_slab, decimal,
          convert_to_mile, currency, customer, customer_name, customer_email, driver, pickup, drop, route, estimate,
          estimate_distance, estimate_time, tripdate, booking_date, book_later, trip_cost, convenience_fees, driver_share,
          fare_parts, payment_mode, payable_amount, cancelled_by, driver_arrive_time, trip_end_time, closed_at,
          cancellation_fee)
        values ($1::uuid, right(($1::uuid)::text, 6), $2, $3, 'Car', '{}', '[]', 2, false, 'UYU', $4, 'A B', 'rider@x.test',
          $5, '{"lat":-34.9,"lng":-56.2,"add":"A"}', '{"lat":-34.87,"lng":-56.17,"add":"B"}', '', 0, 1, 1, $6, $6, false,
          $7, 0, $7, $8, 'cash', $7, $9, $10, $11, $11, $12)`,
      [
        booking,
        status,
        id(90),
        rider,
        driver,
        at,
        payable,
        { ...fare, trip_cost: payable, driver_share: payable },
        cancelledBy,
        arrived,
        ended,
        fee,
      ],
    )
  }
  await trip(trips.complete, 'COMPLETE', { arrived: at, ended: at + 600_000 })
  await trip(trips.unpaid, 'PENDING', { payable: 11 * unit, arrived: at, ended: at + 600_000 })
  await trip(trips.cancelled, 'CANCELLED', { cancelledBy: 'rider', fee: 5 * unit })
  await trip(trips.arrived, 'ARRIVED', { arrived: now - 60_000 })
  await pool.query(
    `insert into booking_events (booking_id, version, at, actor, command, to_status) values ($1, 1, $2, 'rider', 'create', 'NEW')`,
    [trips.complete, at],
  )
  await pool.query(
    `insert into tracking (booking_id, at, status, lat, lng)
      select $1, $2::bigint + n * 1000, 'STARTED', -34.9 + n * 1e-4, -56.2 + n * 1e-4 from generate_series(0, 299) n`,
    [trips.complete, at],
  )

  let entries = 100
  const append = (kind: string, key: string, booking: string | null, legs: Leg[]) => {
    entries += 1
    const entry = {
      id: id(entries),
      at,
      kind,
      key,
      booking_id: booking,
      currency: 'UYU',
      by_user: null,
      note: null,
      legs: legs.map((leg) => ({ ...leg, user_id: /^user:(.+)/.exec(leg.account)?.[1] ?? null })),
    }
    return pool.query(`select append_ledger($1, '{}')`, [JSON.stringify([entry])])
  }
  const fee = 5 * unit
  await append('cancellation', `${trips.cancelled}:cancellation`, trips.cancelled, [
    { account: `user:${rider}`, amount: -fee },
    { account: `user:${driver}`, amount: fee },
  ])
  await append('admin_credit', 'credit:1', null, [
    { account: 'adjustment', amount: -90 * unit },
    { account: `user:${withdrawer}`, amount: 90 * unit },
  ])
  for (const [position, request] of [withdrawals.older, withdrawals.newer].entries()) {
    await append('withdraw_asked', `withdraw:${request}:asked`, null, [
      { account: `user:${withdrawer}`, amount: -60 * unit },
      { account: 'payout', amount: 60 * unit },
    ])
    await pool.query(
      `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
        values ($1, $2, 'A B', $3, $4, 'b', 'c', 'd', 'UYU')`,
      [request, withdrawer, 60 * unit, at + position],
    )
  }

  for (const [name, notice] of Object.entries(notices)) {
    await pool.query(
      `insert into user_notifications (id, user_id, at, title, msg, screen, dedupe) values ($1, $2, $3, 't', 'm', 'wallet', $4)`,
      [notice, rider, name === 'old' ? now - 100 * 86_400_000 : at, name],
    )
  }
  await pool.query(
    `insert into payment_messages (id, provider, event_key, query, body, received_at, retry_at)
      values ($1, 'stripe', 'evt_1', '', '', $2, 0)`,
    [id(41), at],
  )
  await pool.query(
    `insert into audit_log (id, at, by_user, by_name, action, kind, subject, label)
      values ($1, $2, $3, 'A B', 'settings.update', 'settings', 'settings', 'settings')`,
    [id(42), at, people.driver],
  )
  const texts = {
    'driver.reason_traffic': 'Corte',
    'driver.reason_rider_no_show': 'Ausente',
    'trip.reason_rider_no_show': 'No vino',
    'people.no_people_text': 'Nadie',
    'people.fleet': 'Flota',
    'trip.office_next_NEW': 'Buscando',
    'wallet.sums_person': 'Movimientos',
  }
  await pool.query(
    `insert into languages (id, lang_name, lang_locale, date_locale, direction, key_value_pairs, copied, created_at)
      values ($1, 'Español', 'es', 'es', 'ltr', $2, '["driver.reason_personal", "trip.title", "outbox.title"]', $3)`,
    [id(43), JSON.stringify(texts), at],
  )
}
