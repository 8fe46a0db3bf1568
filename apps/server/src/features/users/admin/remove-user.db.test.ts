import sharp from 'sharp'
import { uuidv7 } from 'uuidv7'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testPassword } from '../../../test-app.ts'
import { usersScene } from './users.fixture.ts'

const scene = usersScene()
const { user, call, row, booking, upload, storedPhoto, aCity, leftovers } = scene
let app: TestApp
let admin: string
let adminId: string
beforeAll(() => void ({ app, admin, adminId } = scene))

describe('delete', () => {
  test('account deleted -> ledger and bookings stay, without personal data', async () => {
    const rider = await user('rider', { firstName: 'Gone', lastName: 'Girl' })
    const driver = await user('driver')
    const id = await booking(rider.uid, driver.uid, 'COMPLETE')
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    expect((await upload(rider.bearer, picture)).statusCode).toBe(200)
    await call('POST', '/api/v1/me/addresses', rider.bearer, { description: 'Home', lat: -34.9, lng: -56.1 })
    const device = { kind: 'fcm', token: 'push-secret', platform: 'IOS' }
    expect((await call('POST', '/api/v1/push/devices', rider.bearer, device)).status).toBe(200)
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
    const again = await app.addUser({ email: rider.email, usertype: 'rider' })
    expect(again).not.toBe(rider.uid)
  })

  test('open money, or an older session without a password -> refused', async () => {
    const rider = await user('rider')
    const { pool } = app.database
    await pool.query('update users set wallet_balance = -1 where id = $1', [rider.uid])
    const go = (body: object = {}) => call('POST', '/api/v1/me/deletion', rider.bearer, body)
    expect((await go()).body.error).toBe('open_debt')
    await pool.query('update users set wallet_balance = 0 where id = $1', [rider.uid])
    const { walletAdmin, withdraws } = app.services
    await walletAdmin.adjustments.credit(adminId, { uid: rider.uid, amount: 500_000, reason: 'test' }, null)
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
    expect((await go({ password: testPassword })).body.error).toBe('open_balance')
    const stale = { password: testPassword, giveUp: 499_999 }
    expect((await go(stale)).body.error).toBe('open_balance')
    expect((await go({ password: testPassword, giveUp: 500_000 })).status).toBe(200)
    const { rows } = await pool.query('select count(*) as n from ledger_legs where user_id = $1', [rider.uid])
    expect(rows[0].n).toBe(4)
  })

  test('balance -> refused until an admin gives up exactly that amount; ledger and audit keep it', async () => {
    const fleet = await user('fleetadmin')
    const driver = await user('driver', { fleetadmin: fleet.uid })
    const credit = { uid: driver.uid, amount: 30_000, reason: 'test' }
    await app.services.walletAdmin.adjustments.credit(adminId, credit, null)
    const url = `/api/v1/users/${driver.uid}`
    const open = { trip: false, unpaid: false, withdrawal: false, payment: false }
    expect((await call('GET', `${url}/obligations`, admin)).body).toEqual({ ...open, balance: 30_000 })
    expect((await call('GET', `${url}/obligations`, fleet.bearer)).body).toEqual({ ...open, balance: null })
    const refusal = async (bearer: string, input?: object) =>
      (await call('DELETE', url, bearer, input)).body.error
    expect(await refusal(admin)).toBe('open_balance')
    expect(await refusal(admin, { giveUp: 29_999 })).toBe('open_balance')
    expect(await refusal(fleet.bearer, { giveUp: 30_000 })).toBe('open_balance')
    const both = await Promise.all([1, 2].map(() => call('DELETE', url, admin, { giveUp: 30_000 })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await row(driver.uid)).wallet_balance).toBe(0)
    const { pool } = app.database
    const entries = await pool.query(
      `select key from ledger_entries where kind = 'balance_given_up'
      and key = $1`,
      [`given-up:${driver.uid}`],
    )
    expect(entries.rows).toHaveLength(1)
    const audit = `select before->>'walletBalance' as given from audit_log where subject = $1 and action = 'users.remove'`
    expect((await pool.query(audit, [driver.uid])).rows).toEqual([{ given: '30000' }])
  })

  test('picture uploaded after the deletion -> not stored', async () => {
    const rider = await user('rider')
    expect((await call('POST', '/api/v1/me/deletion', rider.bearer, {})).status).toBe(200)
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    await expect(app.services.profile.setPhoto(rider.uid, picture)).rejects.toMatchObject({ name: 'Refusal' })
    expect(await storedPhoto(rider.uid)).toBeNull()
  })

  test('place or device saved after the deletion -> not stored', async () => {
    const rider = await user('rider')
    expect((await call('POST', '/api/v1/me/deletion', rider.bearer, {})).status).toBe(200)
    const { users, profile, devices } = app.services
    const home = { lat: -34.9, lng: -56.2 }
    await expect(profile.addAddress(rider.uid, { ...home, description: 'Home' })).rejects.toMatchObject({
      key: 'not_found',
    })
    await app.database.withTransaction((tx) => users.countVisit(tx, rider.uid, { ...home, add: 'Home' }))
    const actor = { id: rider.uid, role: 'rider', approved: true, sessionId: uuidv7() } as const
    const late = { token: 'late-device', platform: 'ANDROID' } as const
    await expect(devices.setToken(actor, late)).rejects.toMatchObject({ key: 'not_found' })
    const { rows } = await app.database.pool.query(
      `select (select count(*)::int from push_devices where user_id = $1) as devices,
        (select count(*)::int from saved_addresses where user_id = $1) as places`,
      [rider.uid],
    )
    expect(rows).toEqual([{ devices: 0, places: 0 }])
  })

  test('debt -> refused until it is credited', async () => {
    const fleet = await user('fleetadmin')
    const driver = await user('driver', { fleetadmin: fleet.uid })
    await app.database.pool.query('update users set wallet_balance = -70000 where id = $1', [driver.uid])
    for (const bearer of [admin, fleet.bearer]) {
      const refused = await call('DELETE', `/api/v1/users/${driver.uid}`, bearer)
      expect([refused.status, refused.body.error]).toEqual([409, 'open_debt'])
    }
    await app.services.walletAdmin.adjustments.credit(
      adminId,
      { uid: driver.uid, amount: 70_000, reason: 'test' },
      null,
    )
    expect((await call('DELETE', `/api/v1/users/${driver.uid}`, fleet.bearer)).status).toBe(200)
  })

  test('rider books and is deleted concurrently -> never both', async () => {
    for (let repeat = 0; repeat < 24; repeat += 1) {
      const rider = await user('rider')
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
      const rider = await user('rider')
      const driver = await user('driver', { car_type_id: carType, driverActiveStatus: true })
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
