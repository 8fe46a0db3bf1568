import type { ServerFrame } from '@hansom/contract/live'
import type { UserView } from '@hansom/contract/users'
import type { Role } from '@hansom/domain/users/roles'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { storedPath } from '../../../adapters/storage/port.ts'
import { TestClient } from '../../../platform/live/test-live.ts'
import { createTestApp, type TestApp, testPassword } from '../../../test-app.ts'
import { signedToken } from '../../accounts/session-token.ts'
import { straightMaps } from '../../bookings/straight-city.fixture.ts'

const secret = 'the secret of the tests of people'
let app: TestApp
let admin: string
let adminId: string
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits: { all: 1e6, signIn: 1e6 } })
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  adminId = await app.addPerson({ email: 'admin@x.test', usertype: 'admin' })
  admin = await app.bearer('admin@x.test')
})
afterAll(() => app.close())
beforeEach(() => app.database.pool.query('delete from auth_attempts'))

let counter = 0
async function person(usertype: Role, changes: Record<string, unknown> = {}) {
  counter += 1
  const email = `${usertype}${counter}@x.test`
  const uid = await app.addPerson({ email, usertype, mobile: `+598990000${100 + counter}`, ...changes })
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

const needsVersion =
  /^(?:PATCH|POST) \/api\/v1\/users\/([0-9a-f-]{36})(?:\/(?:approve|disapprove|change-type|assign-fleet))?$/

async function call<T = UserView>(method: string, url: string, bearer: string | null, payload?: object) {
  const seen = needsVersion.exec(`${method} ${url}`)?.[1]
  const version = seen === undefined ? undefined : ((await row(seen))?.version ?? 1)
  const answer = await app.server.inject({
    method: method as 'GET',
    url,
    headers: bearer === null ? {} : { authorization: bearer },
    // Like a page that has just read the user, unless a test gives the version.
    ...(payload ? { payload: version === undefined ? payload : { version, ...payload } } : {}),
  })
  return { status: answer.statusCode, body: answer.json<T & { error?: string }>(), raw: answer }
}
const row = async (uid: string) =>
  (await app.database.pool.query('select * from users where id = $1', [uid])).rows[0]

async function setDemo(isHidden: boolean) {
  await app.database.withTransaction((tx) =>
    app.services.settings.update(tx, { AllowCriticalEditsAdmin: !isHidden }),
  )
}

/** A row in bookings. */
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

test('user: ratings -> the average and the raters, newest first', async () => {
  const driver = await app.addPerson({ email: 'rated@x.test', usertype: 'driver' })
  const raters = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
  await app.database.pool.query(
    `insert into user_ratings (booking_id, user_id, rated_by, rate, at)
      select gen_random_uuid(), $1, r.id, r.number + 3, r.number
      from unnest($2::uuid[]) with ordinality r(id, number)`,
    [driver, raters],
  )
  await app.database.pool.query('update users set rating_sum = 9, rating_count = 2 where id = $1', [driver])
  expect((await call('GET', `/api/v1/users/${driver}`, admin)).body).toMatchObject({
    ratings: {
      userrating: 4.5,
      details: [
        { user: raters[1], rate: 5 },
        { user: raters[0], rate: 4 },
      ],
    },
  })
})

describe('add', () => {
  test('admin adds a rider -> approved, and invited by email', async () => {
    const added = await call('POST', '/api/v1/users', admin, {
      usertype: 'rider',
      firstName: ' Eva ',
      lastName: 'Sosa',
      email: 'Eva@X.test',
      mobile: '+59899123456',
    })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({
      firstName: 'Eva',
      email: 'eva@x.test',
      approved: true,
      createdByAdmin: true,
      commands: ['update', 'remove', 'disapprove', 'change_type', 'invite'],
    })
    await expect
      .poll(
        async () =>
          (await app.database.pool.query(`select kind from outbox_messages where "to" = 'eva@x.test'`)).rows,
      )
      .toEqual([{ kind: 'invitation' }])
    const { rows } = await app.database.pool.query(
      `select params from outbox_messages where "to" = 'eva@x.test'`,
    )
    const token = new URL(rows[0].params.link).searchParams.get('token')
    await call('POST', '/api/v1/invitation/accept', null, { token, password: 'abc123' })
    const signedIn = await call('POST', '/api/auth/sign-in/email', null, {
      email: 'eva@x.test',
      password: 'abc123',
    })
    expect(signedIn.status).toBe(200)
    const now = await call('GET', `/api/v1/users/${added.body.uid}`, admin)
    expect(now.body.commands).not.toContain('invite')
    expect((await call('POST', `/api/v1/users/${added.body.uid}/invite`, admin, {})).body.error).toBe(
      'wrong_status',
    )
  })

  test('taken email or mobile -> user_exists, also when added concurrently', async () => {
    const input = {
      usertype: 'rider',
      firstName: 'A',
      lastName: 'B',
      email: 'twin@x.test',
      mobile: '+59899777777',
    }
    const both = await Promise.all([
      call('POST', '/api/v1/users', admin, input),
      call('POST', '/api/v1/users', admin, { ...input, email: 'other-twin@x.test' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.body.error).toBe('user_exists')
  })

  test.each([
    [{ firstName: '  ' }, 'proper_input_name'],
    [{ email: 'no address' }, 'proper_email'],
    [{ mobile: '09912' }, 'mobile_no_blank_error'],
    [{ approved: false }, 'invalid_input'],
    [{ walletBalance: 5 }, 'invalid_input'],
    [{ car_type_id: '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f' }, 'invalid_input'],
  ])('invalid input %j -> refused', async (changes, error) => {
    const input = { usertype: 'driver', firstName: 'A', lastName: 'B', email: 'fresh@x.test', ...changes }
    expect((await call('POST', '/api/v1/users', admin, input)).body.error).toBe(error)
  })

  test("fleet admin adds a driver -> joins the fleet, waits for an admin's approval", async () => {
    const fleet = await person('fleetadmin')
    const input = {
      usertype: 'driver',
      firstName: 'Dan',
      lastName: 'D',
      email: 'dan@x.test',
      vehicleNumber: 'STX 1',
    }
    const added = await call('POST', '/api/v1/users', fleet.bearer, input)
    expect(added.body).toMatchObject({
      approved: false,
      fleetadmin: fleet.uid,
      driverActiveStatus: true,
      walletBalance: null,
      bankAccount: null,
      referralId: null,
      commands: ['update', 'remove', 'invite'],
    })
    const { uid } = added.body
    expect((await call('POST', `/api/v1/users/${uid}/approve`, fleet.bearer, {})).status).toBe(404)
    expect(
      (await call('POST', '/api/v1/users', fleet.bearer, { ...input, usertype: 'rider' })).body.error,
    ).toBe('invalid_input')
    const bank = { ...input, email: 'bank@x.test', bankAccount: '1' }
    expect((await call('POST', '/api/v1/users', fleet.bearer, bank)).body.error).toBe('invalid_input')
    expect((await call('POST', `/api/v1/users/${uid}/approve`, admin, {})).body.approved).toBe(true)
  })
})

describe('list', () => {
  test('admin -> pages of all users except admins; admins by type; all search terms must match', async () => {
    const fleet = await person('fleetadmin')
    const names = ['Uma One', 'Uma Two', 'Uma 100%']
    for (const name of names) {
      const [firstName, lastName] = name.split(' ') as [string, string]
      await person('driver', { firstName, lastName, fleetadmin: fleet.uid })
    }
    await person('driver', { firstName: 'Uma', lastName: 'Elsewhere' })
    type Page = { items: UserView[]; next: string | null }
    const first = await call<Page>('GET', '/api/v1/users?q=uma&limit=3', admin)
    expect(first.body.items.map((one) => one.lastName)).toEqual(['Elsewhere', '100%', 'Two'])
    const rest = await call<Page>('GET', `/api/v1/users?q=uma&limit=3&cursor=${first.body.next}`, admin)
    expect(rest.body.items.map((one) => one.lastName)).toEqual(['One'])
    expect(rest.body.next).toBeNull()
    const own = await call<Page>('GET', '/api/v1/users?q=UMA', fleet.bearer)
    expect(own.body.items).toHaveLength(3)
    expect((await call<Page>('GET', '/api/v1/users?q=uma%20100%25', admin)).body.items).toHaveLength(1)
    expect(
      (await call<Page>('GET', '/api/v1/users', admin)).body.items.every((one) => one.usertype !== 'admin'),
    ).toBe(true)
    const admins = await call<Page>('GET', '/api/v1/users?usertype=admin', admin)
    expect(admins.body.items.map((one) => one.uid)).toContain(adminId)
    expect((await call<Page>('GET', '/api/v1/users?usertype=admin', fleet.bearer)).body.items).toEqual([])
    expect((await call('GET', '/api/v1/users?cursor=x', admin)).body.error).toBe('invalid_input')
  })

  test('demo closed for critical edits -> contacts hidden, also from search; no user added or removed', async () => {
    const rider = await person('rider', { firstName: 'Hidden', lastName: 'Rider' })
    const fleet = await person('fleetadmin', { firstName: 'Shown' })
    await setDemo(true)
    type Page = { items: UserView[] }
    const found = await call<Page>('GET', '/api/v1/users?q=hidden', admin)
    expect(found.body.items[0]).toMatchObject({ email: 'Hidden for Demo', mobile: 'Hidden for Demo' })
    expect((await call('GET', `/api/v1/users/${fleet.uid}`, admin)).body.email).toBe(fleet.email)
    const byMail = await call<Page>('GET', `/api/v1/users?q=${rider.email}`, admin)
    expect(byMail.body.items).toEqual([])
    const input = { usertype: 'rider', firstName: 'A', lastName: 'B', email: 'demo-add@x.test' }
    expect((await call('POST', '/api/v1/users', admin, input)).body.error).toBe('demo_mode')
    expect((await call('DELETE', `/api/v1/users/${rider.uid}`, admin)).body.error).toBe('demo_mode')
    const type = { usertype: 'admin' }
    expect((await call('POST', `/api/v1/users/${rider.uid}/change-type`, admin, type)).body.error).toBe(
      'demo_mode',
    )
    expect(
      (await call('PATCH', `/api/v1/users/${rider.uid}`, admin, { lastName: 'Free' })).body.lastName,
    ).toBe('Free')
    await setDemo(false)
  })
})

describe('change', () => {
  test('two concurrent changes of one version -> one conflict with the current record', async () => {
    const { uid } = await person('driver')
    const { version } = (await call('GET', `/api/v1/users/${uid}`, admin)).body
    const both = await Promise.all(
      ['X', 'Y'].map((lastName) => call('PATCH', `/api/v1/users/${uid}`, admin, { lastName, version })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const [first, second] = [200, 409].map((wanted) => both.find(({ status }) => status === wanted)?.body)
    expect(second).toMatchObject({ error: 'conflict', data: { current: first } })
  })

  test.each([
    'approved',
    'usertype',
    'walletBalance',
    'fleetadmin',
    'queue',
    'rating_sum',
    'pushToken',
    'email',
  ])('field %s -> not writable', async (field) => {
    const { uid, bearer } = await person('driver')
    const before = await row(uid)
    for (const [url, who] of [
      [`/api/v1/users/${uid}`, admin],
      ['/api/v1/me', bearer],
    ] as const) {
      const answer = await call('PATCH', url, who, { lastName: 'Z', [field]: before[field] ?? true })
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input'])
    }
    expect(await row(uid)).toEqual(before)
  })

  test('right withdrawn -> sessions and open connections end', async () => {
    for (const [command, body] of [
      ['disapprove', {}],
      ['change-type', { usertype: 'rider' }],
    ] as const) {
      const driver = await person('driver')
      const { port } = app.server.server.address() as AddressInfo
      const headers = { authorization: driver.bearer }
      const client = new TestClient(new WebSocket(`ws://127.0.0.1:${port}/live`, { headers }))
      await client.frame('hello')
      await client.follow('requests')
      expect((await call('POST', `/api/v1/users/${driver.uid}/${command}`, admin, body)).status).toBe(200)
      const end = await Promise.race([
        client.closed,
        client.frame('err').then((frame: ServerFrame) => frame.t),
      ])
      expect([4401, 'err']).toContain(end)
      client.ws.terminate()
      const after = async () => (await call('GET', '/api/v1/bookings', driver.bearer)).body.error
      await expect.poll(after).toBe('not_logged_in')
    }
  })

  test('user with a trip in progress -> approval, type and account unchanged', async () => {
    const rider = await person('rider')
    const driver = await person('driver')
    const id = await booking(rider.uid, driver.uid, 'STARTED')
    for (const { uid } of [rider, driver]) {
      expect((await call('POST', `/api/v1/users/${uid}/disapprove`, admin, {})).body.error).toBe(
        'open_booking',
      )
      const type = { usertype: 'fleetadmin' }
      expect((await call('POST', `/api/v1/users/${uid}/change-type`, admin, type)).body.error).toBe(
        'open_booking',
      )
      expect((await call('DELETE', `/api/v1/users/${uid}`, admin)).body.error).toBe('open_booking')
    }
    await app.database.pool.query(`update bookings set status = 'PENDING' where id = $1`, [id])
    expect((await call('DELETE', `/api/v1/users/${rider.uid}`, admin)).body.error).toBe('unpaid_booking')
    expect((await call('POST', `/api/v1/users/${rider.uid}/disapprove`, admin, {})).status).toBe(200)
  })

  test('fleet admin changes type -> drivers without a fleet', async () => {
    const fleet = await person('fleetadmin')
    const driver = await person('driver')
    const url = `/api/v1/users/${driver.uid}/assign-fleet`
    expect((await call('POST', url, admin, { fleetadmin: adminId })).status).toBe(404)
    expect((await call('POST', url, admin, { fleetadmin: fleet.uid })).body.fleetadmin).toBe(fleet.uid)
    expect((await call('GET', `/api/v1/users/${driver.uid}`, fleet.bearer)).status).toBe(200)
    const type = { usertype: 'rider' }
    expect((await call('POST', `/api/v1/users/${fleet.uid}/change-type`, admin, type)).body.usertype).toBe(
      'rider',
    )
    expect((await row(driver.uid)).fleetadmin).toBeNull()
  })

  test('last two admins disapprove each other concurrently -> one stays', async () => {
    const round = async (command: (uid: string) => { method: string; url: string; body?: object }) => {
      const pair = [await person('admin'), await person('admin')] as const
      await app.database.pool.query(
        `update users set approved = false where usertype = 'admin' and id <> all($1)`,
        [pair.map(({ uid }) => uid)],
      )
      const [a, b] = pair
      const give = (to: { uid: string }, by: { bearer: string }) => {
        const { method, url, body } = command(to.uid)
        return call(method, url, by.bearer, body)
      }
      const answers = await Promise.all([give(b, a), give(a, b)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const { rows } = await app.database.pool.query(
        `select count(*) as n from users where usertype = 'admin' and approved`,
      )
      expect(rows[0].n).toBe(1)
      // The remaining admin cannot be removed either.
      const { approved, usertype } = await row(a.uid)
      const left = approved && usertype === 'admin' ? a : b
      const { method, url, body } = command(left.uid)
      expect((await call(method, url, left.bearer, body)).body.error).toBe('last_admin')
      const own = await call('POST', '/api/v1/me/deletion', left.bearer, {})
      expect(own.body.error).toBe('last_admin')
    }
    for (let repeat = 0; repeat < 5; repeat += 1) {
      await round((uid) => ({ method: 'POST', url: `/api/v1/users/${uid}/disapprove`, body: {} }))
      await round((uid) => ({ method: 'DELETE', url: `/api/v1/users/${uid}` }))
      await round((uid) => ({
        method: 'POST',
        url: `/api/v1/users/${uid}/change-type`,
        body: { usertype: 'rider' },
      }))
    }
    await app.database.pool.query('update users set approved = true where id = $1', [adminId])
  })
})

describe('delete', () => {
  test('account deleted -> ledger and bookings stay, without personal data', async () => {
    const rider = await person('rider', { firstName: 'Gone', lastName: 'Girl', pushToken: 'push-secret' })
    const driver = await person('driver')
    const id = await booking(rider.uid, driver.uid, 'COMPLETE')
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    expect((await upload(rider.bearer, picture)).statusCode).toBe(200)
    await call('POST', '/api/v1/me/addresses', rider.bearer, { description: 'Home', lat: -34.9, lng: -56.1 })
    const second = await app.bearer(rider.email)

    const gone = await call('POST', '/api/v1/me/deletion', second, { password: testPassword })
    expect(gone.body).toEqual({ ok: true })
    for (const bearer of [rider.bearer, second]) {
      expect((await call<{ error: string }>('GET', '/api/v1/bookings', bearer)).body.error).toBe(
        'not_logged_in',
      )
    }
    expect(await row(rider.uid)).toMatchObject({
      first_name: 'Deleted',
      mobile: null,
      approved: false,
      push_token: null,
    })
    await expect.poll(async () => (await row(rider.uid))?.erased_at).not.toBeNull()
    const kept = await app.database.pool.query('select * from bookings where id = $1', [id])
    expect(kept.rows[0]).toMatchObject({
      customer: rider.uid,
      customer_name: 'Deleted user',
      customer_contact: null,
      feedback: null,
      driver_name: 'Secret Driver',
    })
    expect(await leftovers(['Gone', 'Girl', rider.email, 'push-secret'])).toEqual([])
    await expect.poll(() => storedPhoto(rider.uid)).toBeNull()
    expect((await call('GET', `/api/v1/users/${rider.uid}`, admin)).status).toBe(404)

    // Email and mobile are free again.
    const again = await app.addPerson({ email: rider.email, usertype: 'rider' })
    expect(again).not.toBe(rider.uid)
  })

  test('open money, or an older session without a password -> refused', async () => {
    const rider = await person('rider')
    const { pool } = app.database
    await pool.query('update users set wallet_balance = -1 where id = $1', [rider.uid])
    const go = (body: object = {}) => call('POST', '/api/v1/me/deletion', rider.bearer, body)
    expect((await go()).body.error).toBe('open_debt')
    await pool.query('update users set wallet_balance = 0 where id = $1', [rider.uid])
    const { walletOffice, withdraws } = app.services
    await walletOffice.credit(adminId, { uid: rider.uid, amount: 500_000 }, null)
    await app.database.withTransaction((tx) => app.services.settings.update(tx, { RiderWithDraw: true }))
    const wish = { amount: 500_000, bankName: 'Banco', bankCode: '', bankAccount: '1' }
    const { id } = await withdraws.request(rider.uid, wish, null)
    expect((await go()).body.error).toBe('open_withdrawal')
    await withdraws.refuse(adminId, id, 'no such account', null)
    await pool.query(
      `update auth_sessions set created_at = now() - interval '11 minutes' where user_id = $1`,
      [rider.uid],
    )
    expect((await go()).body.error).toBe('password_needed')
    expect((await go({ password: 'wrong1' })).body.error).toBe('password_needed')
    expect((await go({ password: testPassword })).status).toBe(200)
    const { rows } = await pool.query('select count(*) as n from ledger_legs where user_id = $1', [rider.uid])
    expect(rows[0].n).toBe(3)
  })

  test('picture uploaded after the deletion -> not stored', async () => {
    const rider = await person('rider')
    expect((await call('POST', '/api/v1/me/deletion', rider.bearer, {})).status).toBe(200)
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    await expect(app.services.profile.setPhoto(rider.uid, picture)).rejects.toMatchObject({ name: 'Refusal' })
    expect(await storedPhoto(rider.uid)).toBeNull()
  })

  test('place or device saved after the deletion -> not stored', async () => {
    const rider = await person('rider')
    expect((await call('POST', '/api/v1/me/deletion', rider.bearer, {})).status).toBe(200)
    const { users, profile } = app.services
    const home = { lat: -34.9, lng: -56.2 }
    await expect(profile.addAddress(rider.uid, { ...home, description: 'Home' })).rejects.toMatchObject({
      key: 'not_found',
    })
    await app.database.withTransaction((tx) => users.countVisit(tx, rider.uid, { ...home, add: 'Home' }))
    await users.setPushToken(rider.uid, { token: 'late-device', platform: 'ANDROID' })
    const { rows } = await app.database.pool.query(
      `select push_token as device, (select count(*)::int from saved_addresses where user_id = $1) as places
        from users where id = $1`,
      [rider.uid],
    )
    expect(rows).toEqual([{ device: null, places: 0 }])
  })

  test('debt -> refused until it is credited', async () => {
    const fleet = await person('fleetadmin')
    const driver = await person('driver', { fleetadmin: fleet.uid })
    await app.database.pool.query('update users set wallet_balance = -70000 where id = $1', [driver.uid])
    for (const bearer of [admin, fleet.bearer]) {
      const refused = await call('DELETE', `/api/v1/users/${driver.uid}`, bearer)
      expect([refused.status, refused.body.error]).toEqual([409, 'open_debt'])
    }
    await app.services.walletOffice.credit(adminId, { uid: driver.uid, amount: 70_000 }, null)
    expect((await call('DELETE', `/api/v1/users/${driver.uid}`, fleet.bearer)).status).toBe(200)
  })

  test('rider books and is deleted concurrently -> never both', async () => {
    for (let repeat = 0; repeat < 24; repeat += 1) {
      const rider = await person('rider')
      const { carType } = await aCity()
      const order = () =>
        call('POST', '/api/v1/bookings', rider.bearer, {
          pickup: { lat: -34.9, lng: -56.17, add: 'a' },
          drop: { lat: -34.88, lng: -56.12, add: 'b' },
          car_type_id: carType,
          bookLater: true,
          tripdate: Date.now() + 3_600_000,
        })
      const go = () => call('POST', '/api/v1/me/deletion', rider.bearer, {})
      // Booking takes longer before it writes: give it a growing head start.
      const ordering = order()
      await new Promise((resolve) => setTimeout(resolve, repeat % 12))
      const [ordered, gone] = await Promise.all([ordering, go()])
      const { rows } = await app.database.pool.query(
        `select (select count(*) from bookings where customer = $1) as bookings, deleted_at is not null as gone
          from users where id = $1`,
        [rider.uid],
      )
      expect(rows[0].bookings > 0 && rows[0].gone, `${ordered.status} ${gone.status}`).toBe(false)
      expect(ordered.status === 201).toBe(rows[0].bookings > 0)
      expect(gone.status === 200).toBe(rows[0].gone)
    }
  })

  test('driver accepts and is deleted concurrently -> never both', async () => {
    for (let repeat = 0; repeat < 16; repeat += 1) {
      const { carType } = await aCity()
      const rider = await person('rider')
      const driver = await person('driver', { car_type_id: carType, driverActiveStatus: true })
      const id = await booking(rider.uid, null, 'NEW')
      await app.database.pool.query(
        `insert into booking_requests (booking_id, driver_id, wave, requested_at, expires_at, pickup_km, pickup_s)
          values ($1, $2, 1, $3, null, 1, 60)`,
        [id, driver.uid, Date.now()],
      )
      const remove = () => call('DELETE', `/api/v1/users/${driver.uid}`, admin)
      const accept = () => call('POST', `/api/v1/bookings/${id}/accept`, driver.bearer, {})
      const [first, second] = repeat % 2 === 0 ? [accept, remove] : [remove, accept]
      const both = await Promise.all([first(), second()])
      const { rows } = await app.database.pool.query(
        `select b.driver is not null as taken, u.deleted_at is not null as gone from bookings b, users u
          where b.id = $1 and u.id = $2`,
        [id, driver.uid],
      )
      expect(rows[0].taken !== rows[0].gone, JSON.stringify(both.map(({ status }) => status))).toBe(true)
    }
  })
})

test('change without a version -> refused', async () => {
  const { uid } = await person('driver')
  for (const [method, path, body] of [
    ['PATCH', '', { lastName: 'X' }],
    ['POST', '/approve', {}],
    ['POST', '/disapprove', {}],
    ['POST', '/change-type', { usertype: 'rider' }],
    ['POST', '/assign-fleet', { fleetadmin: null }],
  ] as const) {
    const url = `/api/v1/users/${uid}${path}`
    const answer = await call(method, url, admin, { ...body, version: undefined })
    expect([answer.status, answer.body.error], url).toEqual([400, 'invalid_input'])
  }
})

describe('own account', () => {
  test('names and bank details -> changed; blank names -> refused', async () => {
    const { bearer } = await person('rider')
    const me = await call('PATCH', '/api/v1/me', bearer, {
      firstName: 'New',
      bankName: 'Bank',
      version: 1,
    })
    expect(me.body).toMatchObject({ firstName: 'New', bankName: 'Bank' })
    expect(
      (await call('PATCH', '/api/v1/me', bearer, { lastName: ' ', version: me.body.version })).body.error,
    ).toBe('proper_input_name')
    const stale = await call('PATCH', '/api/v1/me', bearer, { lastName: 'X', version: me.body.version - 1 })
    expect(stale.body.error).toBe('conflict')
  })

  test('places -> added, renamed and removed by their owner only, up to the limit', async () => {
    const mine = await person('rider')
    const other = await person('rider')
    const place = { description: 'Home', lat: -34.9, lng: -56.1 }
    const { body: added } = await call<{ id: string }>('POST', '/api/v1/me/addresses', mine.bearer, place)
    const url = `/api/v1/me/addresses/${added.id}`
    expect((await call('PATCH', url, other.bearer, { label: 'Mine' })).status).toBe(404)
    expect((await call('DELETE', url, other.bearer)).status).toBe(404)
    const named = await call('PATCH', url, mine.bearer, { label: ' Flat ' })
    expect(named.body).toMatchObject({ description: 'Home', label: 'Flat' })
    const unnamed = await call('PATCH', url, mine.bearer, { label: ' ' })
    expect(unnamed.body).toMatchObject({ description: 'Home', label: null })
    expect((await call('DELETE', url, mine.bearer)).status).toBe(200)
    const many = await Promise.all(
      Array.from({ length: 104 }, () => call('POST', '/api/v1/me/addresses', mine.bearer, place)),
    )
    expect(many.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(many.find(({ status }) => status !== 201)?.body.error).toBe('too_many_addresses')
  })

  test('picture -> re-encoded, visible to those concerned', async () => {
    const rider = await person('rider')
    const stranger = await person('rider')
    const driver = await person('driver')
    const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'blue' } })
      .withExif({ IFD0: { Copyright: 'whose camera' } })
      .jpeg()
      .toBuffer()
    const answer = await upload(rider.bearer, picture)
    const { profile_image } = answer.json<{ profile_image: string }>()
    expect(profile_image).toMatch(new RegExp(`^/api/v1/users/${rider.uid}/photo\\?v=\\d+$`))
    const see = (bearer: string | null) =>
      app.server.inject({ url: profile_image, headers: bearer === null ? {} : { authorization: bearer } })
    const seen = await see(rider.bearer)
    expect([seen.statusCode, seen.headers['content-type'], seen.headers['x-content-type-options']]).toEqual([
      200,
      'image/webp',
      'nosniff',
    ])
    expect((await sharp(seen.rawPayload).metadata()).width).toBe(512)
    expect(seen.rawPayload.includes('whose camera')).toBe(false)
    expect((await see(admin)).statusCode).toBe(200)
    expect((await see(driver.bearer)).statusCode).toBe(404)
    expect((await see(stranger.bearer)).statusCode).toBe(404)
    expect((await see(null)).statusCode).toBe(401)
    await booking(rider.uid, driver.uid, 'ACCEPTED')
    expect((await see(driver.bearer)).statusCode).toBe(200)

    // A shared trip does not give access forever.
    const monthMs = 30 * 24 * 3_600_000
    const ended = (status: string, ago: number) =>
      app.database.pool.query('update bookings set status = $2, closed_at = $3 where driver = $1', [
        driver.uid,
        status,
        Date.now() - ago,
      ])
    await ended('COMPLETE', monthMs - 60_000)
    expect((await see(driver.bearer)).statusCode).toBe(200)
    await ended('COMPLETE', monthMs + 60_000)
    expect((await see(driver.bearer)).statusCode).toBe(404)
    // A trip long in progress or long unpaid is not over.
    await ended('PENDING', monthMs + 60_000)
    expect((await see(driver.bearer)).statusCode).toBe(200)
    expect((await see(admin)).statusCode).toBe(200)

    expect(
      (await upload(rider.bearer, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).json().error,
    ).toBe('unsupported_media')
    expect((await upload(null, picture)).json().error).toBe('not_logged_in')
    expect((await upload(rider.bearer, picture, 'file')).json().error).toBe('invalid_input')
    expect((await call('DELETE', '/api/v1/me/photo', rider.bearer)).body.profile_image).toBeNull()
    expect((await see(rider.bearer)).statusCode).toBe(404)
  })

  test('export of own data -> one file with everything about the user, nothing about others', async () => {
    const rider = await person('rider')
    const driver = await person('driver', { lastName: 'Elsewhere', mobile: '+59899555444' })
    for (let trip = 0; trip < 3; trip += 1) await booking(rider.uid, driver.uid, 'COMPLETE')
    await booking(driver.uid, null, 'CANCELLED').catch(() => null)
    await call('POST', '/api/v1/me/addresses', rider.bearer, { description: 'Home', lat: -34.9, lng: -56.1 })
    const answer = await app.server.inject({
      url: '/api/v1/me/data',
      headers: { authorization: rider.bearer },
    })
    expect(answer.headers['content-disposition']).toContain('attachment')
    const data = answer.json()
    expect(data.profile).toMatchObject({ id: rider.uid, email: rider.email })
    expect(data.savedAddresses).toHaveLength(1)
    expect(data.sessions).toHaveLength(1)
    expect(data.bookingsAsRider).toHaveLength(3)
    expect(data.bookingsAsDriver).toEqual([])
    expect(answer.body).not.toContain('+59899555444')
    expect(answer.body).not.toContain('password')
  })
})

function upload(bearer: string | null, bytes: Buffer, field = 'image') {
  const edge = 'edge'
  const head = `--${edge}\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
  return app.server.inject({
    method: 'PUT',
    url: '/api/v1/me/photo',
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
