import { viewBooking } from '@hansom/domain/access/visible-booking'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCity, type TestCity } from './booking-city.fixture.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
})
afterAll(() => city.close())

test('booking view: feedback, route and requested drivers -> shown only to those concerned', async () => {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const admin = await city.addAdmin()
  const { booking } = await city.bookings.create(rider, city.request(), null)
  const other = await city.addDriver(pickup)
  await city.ask(booking.id, [driver, other])
  const seenBy = async (person: typeof rider) => {
    const view = viewBooking(await city.bookings.get(person, booking.id), person, defaultSettings)
    if (view === null) throw new Error('not visible')
    return view
  }
  expect((await seenBy(admin)).requestedDrivers).toEqual({ [driver.id]: true, [other.id]: true })
  expect((await seenBy(driver)).request).toMatchObject({ asked: 2 })
  expect((await seenBy(rider)).request).toBeNull()
  for (const person of [rider, driver]) expect((await seenBy(person)).requestedDrivers).toBeNull()
  expect((await seenBy(rider)).coords.length).toBeGreaterThanOrEqual(2)
  expect((await seenBy(rider)).fare_parts.driver_share).toBeNull()
  expect((await seenBy(driver)).fare_parts.driver_share).toBe((await seenBy(driver)).driver_share)

  const { commands } = city.bookings
  await commands.accept(city.order(driver, booking.id))
  await commands.arrive(city.order(driver, booking.id), {})
  await commands.start(city.order(driver, booking.id), {})
  await commands.reach(city.order(driver, booking.id), {})
  await commands.close(city.order(driver, booking.id), {})
  await commands.rate(city.order(rider, booking.id), { rating: 4, feedback: 'calm drive' })
  for (const person of [rider, driver, admin]) {
    expect(await seenBy(person)).toMatchObject({ feedback: 'calm drive', rating: 4 })
  }
  const { startTime, trip_start_time, endTime } = await seenBy(driver)
  expect(startTime).toBe(trip_start_time)
  expect(endTime).not.toBeNull()
})
