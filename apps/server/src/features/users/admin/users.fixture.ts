import { randomBytes } from 'node:crypto'
import type { UserView } from '@hansom/contract/users'
import type { Role } from '@hansom/domain/users/roles'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { storedPath } from '../../../adapters/storage/port.ts'
import { createTestApp, type TestApp } from '../../../test-app.ts'
import { signedToken } from '../../accounts/find-session.ts'
import { straightMaps } from '../../bookings/straight-city.fixture.ts'

const secret = 'the secret of the tests of people'
const needsVersion =
  /^(?:PATCH|POST) \/api\/v1\/users\/([0-9a-f-]{36})(?:\/(?:approve|disapprove|change-type|assign-fleet))?$/

/** An app with one admin, and the helpers of the tests on users. Call it once, at the top of a test file. */
export function usersScene() {
  let app: TestApp
  let admin: string
  let adminId: string
  beforeAll(async () => {
    app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits: { all: 1e6, signIn: 1e6 } })
    await app.start()
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    adminId = await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
    admin = await app.bearer('admin@x.test')
  })
  afterAll(() => app.close())
  beforeEach(() => app.database.pool.query('delete from auth_attempts'))

  beforeEach(() => app.database.pool.query('delete from auth_attempts'))

  let counter = 0
  async function user(usertype: Role, changes: Record<string, unknown> = {}) {
    counter += 1
    const email = `${usertype}${counter}@x.test`
    const uid = await app.addUser({ email, usertype, mobile: `+598990000${100 + counter}`, ...changes })
    return { uid, email, bearer: await openSession(uid) }
  }

  /** Opens a session as a sign-in does, without hashing a password. */
  async function openSession(uid: string): Promise<string> {
    const token = randomBytes(16).toString('hex')
    await app.database.pool.query(
      `insert into auth_sessions (id, token, user_id, expires_at)
        values (gen_random_uuid(), $1, $2, now() + interval '1 day')`,
      [token, uid],
    )
    return `Bearer ${signedToken(token, secret)}`
  }

  async function call<T = UserView>(method: string, url: string, bearer: string | null, payload?: object) {
    const seen = needsVersion.exec(`${method} ${url}`)?.[1]
    const version = seen === undefined ? undefined : ((await row(seen))?.version ?? 1)
    const answer = await app.server.inject({
      method: method as 'GET',
      url,
      headers: bearer === null ? {} : { authorization: bearer },
      // Sends the current version, like a page that has just read the user, unless a test gives one.
      ...(payload ? { payload: version === undefined ? payload : { version, ...payload } } : {}),
    })
    return { status: answer.statusCode, body: answer.json<T & { error?: string }>(), raw: answer }
  }
  const row = async (uid: string) =>
    (await app.database.pool.query('select * from users where id = $1', [uid])).rows[0]

  /** Adds a guest as an admin's first booking for them does; returns the id. */
  async function guest(name: string, mobile: string): Promise<string> {
    const { users } = app.services
    const found = await users.findCaller({ name, mobile })
    if (typeof found === 'string') return found
    const by = { id: adminId, role: 'admin', approved: true } as const
    await app.database.withTransaction((tx) => users.addGuest(tx, by, found))
    return found.id
  }

  async function setDemo(isHidden: boolean) {
    await app.database.withTransaction((tx) =>
      app.services.settings.update(tx, { AllowCriticalEditsAdmin: !isHidden }),
    )
  }

  /** Inserts a booking directly. */
  async function booking(customer: string, driver: string | null, status: string) {
    const { pool } = app.database
    const car = await pool.query(
      `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
        convenience_fee_type, cancel_slab, created_at)
        values (gen_random_uuid(), gen_random_uuid()::text, 1, 1, 1, 1, 1, 'flat', '[]', 0) returning id`,
    )
    const { rows } = await pool.query<{ id: string }>(
      `insert into bookings (id, booking_id, status, car_type_id, car_type, fare_rule, cancel_slab, decimal, convert_to_mile,
        currency, customer, customer_name, customer_contact, customer_email, driver, driver_name, pickup, drop, route, estimate,
        estimate_distance, estimate_time, tripdate, booking_date, book_later, trip_cost, convenience_fees, driver_share,
        fare_parts, payment_mode, feedback)
        values (gen_random_uuid(), gen_random_uuid()::text, $3, $4, 'Car', '{}', '[]', 0, false, 'UYU', $1, 'Secret Name',
          '+59899', 'secret@x.test', $2, 'Secret Driver', '{"lat":0,"lng":0,"add":"a"}', '{"lat":0,"lng":0,"add":"b"}', '', 0,
          1, 1, 0, 0, false, 0, 0, 0, '{}', 'cash', 'about me') returning id`,
      [customer, driver, status, car.rows[0].id],
    )
    return rows[0]?.id as string
  }

  function upload(bearer: string | null, bytes: Buffer, field = 'image', url = '/api/v1/me/photo') {
    const edge = 'edge'
    const head = `--${edge}\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
    return app.server.inject({
      method: 'PUT',
      url,
      headers: {
        'content-type': `multipart/form-data; boundary=${edge}`,
        ...(bearer === null ? {} : { authorization: bearer }),
      },
      payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]),
    })
  }

  const storedPhoto = (uid: string) => app.storage.get(storedPath.profileImage(uid))

  let city: Promise<{ carType: string }> | undefined
  function aCity() {
    city ??= (async () => {
      const { rows } = await app.database.pool.query<{ id: string }>(
        `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
          convenience_fee_type, cancel_slab, created_at)
          values (gen_random_uuid(), 'City', 200000, 100000, 600000, 500000, 100000, 'percentage', '[]', 0) returning id`,
      )
      return { carType: rows[0]?.id as string }
    })()
    return city
  }

  /** Returns the tables in the complete database that still contain one of the texts. */
  async function leftovers(texts: string[]): Promise<string[]> {
    const { pool } = app.database
    const tables = await pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
    )
    const found: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`)
      for (const { row } of rows) {
        for (const text of texts) if (row.includes(text)) found.push(`${name}: ${text}`)
      }
    }
    return found
  }

  return {
    /** Known from the first test on. */
    get app() {
      return app
    },
    get admin() {
      return admin
    },
    get adminId() {
      return adminId
    },
    user,
    guest,
    openSession,
    call,
    row,
    setDemo,
    booking,
    upload,
    storedPhoto,
    aCity,
    leftovers,
  }
}
