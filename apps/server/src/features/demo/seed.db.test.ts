import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { usersTable } from '../users/table.ts'

let app: TestApp
const dataDir = mkdtempSync(join(tmpdir(), 'hansom-demo-test-'))

beforeAll(async () => {
  app = await createTestApp({ config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), dataDir } })
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true })
})

const signIn = (email: string, password: string) =>
  app.server.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload: { email, password } })
const people = () => app.database.db.select().from(usersTable)

test('an empty database becomes a demo, and stays the one it is', async () => {
  const { demo } = app.services
  expect(await demo.seed({ drivers: 0, riders: 0 })).toBe('made')
  const first = await people()
  expect(first.filter(({ usertype }) => usertype === 'driver')).toHaveLength(41)
  expect(first.filter(({ usertype }) => usertype === 'rider')).toHaveLength(13)
  expect(first.every(({ demo: isDemo, approved }) => isDemo && approved)).toBe(true)
  expect(new Set(first.map(({ vehicleNumber }) => vehicleNumber).filter(Boolean)).size).toBe(41)
  expect(await demo.seed({ drivers: 0, riders: 0 })).toBe('kept')
  expect(await people()).toEqual(first)
})

test('everybody can sign in', async () => {
  const { accounts, password } = app.services.demo
  expect(accounts).toHaveLength(4)
  for (const email of accounts) expect((await signIn(email, password)).statusCode, email).toBe(200)
  const simulated = await app.services.demo.simulatorPassword()
  expect(simulated).not.toBe(password)
  expect((await signIn('sim-driver-40@demo.test', simulated)).statusCode).toBe(200)
  expect((await signIn('sim-rider-12@demo.test', simulated)).statusCode).toBe(200)
  expect((await signIn('sim-rider-12@demo.test', password)).statusCode).toBe(401)
})

test('the city has cars, reasons, promos and settings', async () => {
  const types = (await app.server.inject({ url: '/api/v1/car-types' })).json()
  expect(types.map(({ name }: { name: string }) => name)).toEqual([
    'Economy',
    'Comfort',
    'Electric',
    'Van',
    'Moto',
  ])
  expect((await app.server.inject({ url: '/api/v1/cancel-reasons' })).json().length).toBeGreaterThan(3)
  expect(await app.services.promos.findByCode('rambla50')).not.toBeNull()
  expect((await app.server.inject({ url: '/api/v1/settings' })).json()).toMatchObject({
    demo: true,
    otp_secure: false,
    AllowCriticalEditsAdmin: true,
    timezone: 'America/Montevideo',
  })
})

test('three weeks of trips lie behind it, each lived through by the rules', async () => {
  const { pool } = app.database
  const { rows } = await pool.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from bookings group by status',
  )
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  expect(Object.keys(counts).sort()).toEqual(['CANCELLED', 'COMPLETE'])
  expect(counts.COMPLETE).toBeGreaterThan(20)
  expect(counts.CANCELLED).toBeGreaterThan(2)
  const open = await pool.query('select 1 from users where queue or driver_active_status')
  expect(open.rowCount).toBe(0)
  const rider = await app.services.identity.signIn(
    { email: 'rider@demo.test', password: app.services.demo.password },
    { address: '::1', userAgent: '' },
  )
  const mine = await app.server.inject({
    url: '/api/v1/bookings',
    headers: { authorization: `Bearer ${rider.token}` },
  })
  expect(mine.json().items.length).toBeGreaterThan(5)
  const fresh = await pool.query(
    `select 1 from outbox where kind = 'booking.changed' and not payload ? 'past'`,
  )
  expect(fresh.rowCount).toBe(0)
})

test('riders have something in the wallet, and the ledger knows where from', async () => {
  const { rows } = await app.database.pool.query(
    `select (select sum(wallet_balance) from users)::bigint as balances,
            (select sum(amount) from ledger_legs where user_id is not null)::bigint as legs,
            (select sum(amount) from ledger_legs)::bigint as all_legs`,
  )
  expect(Number(rows[0].balances)).toBeGreaterThan(0)
  expect(rows[0].legs).toEqual(rows[0].balances)
  expect(Number(rows[0].all_legs)).toBe(0)
})

test('trips of the past that a killed first start left half are ended; those of today go on', async () => {
  const { demo, settings, bookingsFeature } = app.services
  const { pool } = app.database
  const { bookings, tracking } = bookingsFeature
  await app.database.withTransaction((tx) => settings.update(tx, { autoDispatch: false }))
  const everybody = await people()
  const of = (usertype: string) => everybody.filter((person) => person.usertype === usertype)
  const [admin, cars, riders] = [of('admin')[0], of('driver'), of('rider')]
  const place = { lat: -34.9065, lng: -56.1996, add: 'Plaza Independencia' }
  const drop = { lat: -34.8938, lng: -56.1663, add: 'Tres Cruces' }
  const steps = ['assignDriver', 'accept', 'arrive', 'start', 'reach', 'close'] as const
  /** A trip whose first so many steps were taken. */
  const half = async (number: number, taken: number) => {
    const [rider, driver] = [riders[number], cars[number]]
    if (!rider || !driver?.car_type_id || !admin) throw new Error('nobody there')
    await tracking.setOnline(driver.id, true)
    await tracking.report(driver, [{ ...place, at: Date.now() }])
    const wish = {
      pickup: place,
      drop,
      car_type_id: driver.car_type_id,
      bookLater: false,
      payment_mode: 'cash' as const,
    }
    const { id } = (await bookings.create(rider, wish, null)).booking
    for (const step of steps.slice(0, taken)) {
      const order = { person: step === 'assignDriver' ? admin : driver, id, key: null }
      await bookings.commands[step](order, { driver: driver.id })
    }
    return { id, driver: driver.id }
  }
  const past = await Promise.all([half(0, 0), half(1, 2), half(2, 3), half(3, 4), half(4, 5)])
  const today = await half(5, 2)
  await pool.query('update bookings set booking_date = booking_date - 2000000000 where id = any($1)', [
    past.map(({ id }) => id),
  ])
  expect(await demo.seed({ drivers: 0, riders: 0 })).toBe('kept')
  const statusOf = async (id: string) =>
    (await pool.query('select status from bookings where id = $1', [id])).rows[0].status
  expect(await Promise.all(past.map(({ id }) => statusOf(id)))).toEqual([
    'CANCELLED',
    'CANCELLED',
    'CANCELLED',
    'COMPLETE',
    'COMPLETE',
  ])
  expect(await statusOf(today.id)).toBe('ACCEPTED')
  const busy = await pool.query('select id from users where queue')
  expect(busy.rows).toEqual([{ id: today.driver }])
  const legs = await pool.query('select sum(amount)::bigint as n from ledger_legs')
  expect(Number(legs.rows[0].n)).toBe(0)
})

test('a larger city gets the people that are missing; a lost password is made anew', async () => {
  const { demo } = app.services
  const before = (await people()).length
  await demo.seed({ drivers: 43, riders: 0 })
  expect((await people()).length).toBe(before + 3)
  const lost = await demo.simulatorPassword()
  rmSync(join(dataDir, 'simulator-password'))
  await demo.seed({ drivers: 43, riders: 0 })
  const renewed = await demo.simulatorPassword()
  expect(renewed).not.toBe(lost)
  expect((await signIn('sim-driver-43@demo.test', renewed)).statusCode).toBe(200)
  expect((await signIn('sim-driver-01@demo.test', lost)).statusCode).toBe(401)
})

test('a database with people of its own is left alone', async () => {
  const other = await createTestApp()
  await other.addPerson({ email: 'real@x.test', usertype: 'admin' })
  expect(await other.services.demo.seed({ drivers: 0, riders: 0 })).toBe('foreign')
  expect(await other.database.db.select().from(usersTable)).toHaveLength(1)
  await other.close()
})
