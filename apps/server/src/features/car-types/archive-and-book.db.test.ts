import { Refusal } from '@hansom/domain/error-keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TopicRegistry } from '../../platform/live/topics.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { type CarTypesAdmin, createCarTypesAdmin, createCarTypesService } from './service.ts'

let city: TestCity
let carTypesAdmin: CarTypesAdmin
let uid: string
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  const { database, clock } = city
  const carTypes = createCarTypesService({ database })
  const hub = { publish: () => {} }
  carTypesAdmin = createCarTypesAdmin({ database, clock, carTypes, topics: new TopicRegistry(), hub })
  uid = (await city.addUserOf('admin')).id
})
afterAll(() => city.close())

const archive = () => carTypesAdmin.remove({ uid, key: null }, city.carType)
const restore = () =>
  city.database.pool.query('update car_types set archived_at = null where id = $1', [city.carType])
const key = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.key : Promise.reject(error)),
  )

/** Booked for later, so that no driver has to be nearby. */
const later = () => city.request({ bookLater: true, tripdate: city.clock.now() + 3_600_000 })
const endAll = () =>
  city.database.pool.query(
    `update bookings set status = 'CANCELLED', cancelled_by = 'system' where status = 'NEW'`,
  )

test('booking: car type is archived meanwhile -> waits for the lock, then select_proper', async () => {
  const rider = await city.addRider()
  const waiting = async () => {
    const { rows } = await city.database.pool.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n
  }
  const booked: Promise<string>[] = []
  await city.database.withTransaction(async (tx) => {
    // The facts are read before the lock, when the car type was still available.
    const { rows } = await tx.client.query('select id from car_types where id = $1 for update', [
      city.carType,
    ])
    expect(rows.length).toBe(1)
    booked.push(key(city.bookings.create(rider, later(), null)))
    await expect.poll(waiting).toBe(1)
    await carTypesAdmin.store(tx, city.carType, { archived_at: 1 })
  })
  expect(await Promise.all(booked)).toEqual(['select_proper'])
  await restore()
})

test('booking: concurrent archive, fifteen times -> never both succeed', async () => {
  const rider = await city.addRider()
  for (let round = 0; round < 15; round++) {
    const [booking, archived] = await Promise.all([
      key(city.bookings.create(rider, later(), null)),
      key(archive()),
    ])
    expect(['done car_type_in_use', 'select_proper done']).toContain(`${booking} ${archived}`)
    await endAll()
    await restore()
  }
})

test('archive: open booking -> car_type_in_use; ended bookings only -> archived', async () => {
  await city.bookings.create(await city.addRider(), later(), null)
  expect(await key(archive())).toBe('car_type_in_use')
  await endAll()
  expect(await key(archive())).toBe('done')
  await restore()
})

test('car type: renamed while booked -> the booking keeps the old name', async () => {
  const [admin, rider, driver] = [await city.addAdmin(), await city.addRider(), await city.addDriver()]
  city.changeSettings({ autoDispatch: false })
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.database.withTransaction((tx) => carTypesAdmin.store(tx, city.carType, { name: 'Renamed' }))
  await city.bookings.commands.assign_driver(city.order(admin, booking.id), { driver: driver.id })
  const { booking: taken } = await city.bookings.commands.accept(city.order(driver, booking.id))
  expect([taken.status, taken.carType]).toEqual(['ACCEPTED', 'Economy'])
})
