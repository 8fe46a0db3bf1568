import type { Person } from '@hansom/domain/access/relation'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestCity, type TestCity } from './booking-city.fixture.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
})
afterEach(() => {
  city.settings.AllowCriticalEditsAdmin = true
})
afterAll(() => city.close())

async function acceptedTrip(): Promise<{ rider: Person; driver: Person; id: string }> {
  const [rider, driver] = [await city.addRider(), await city.addDriver(pickup)]
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  return { rider, driver, id: booking.id }
}

const commandsFor = async (person: Person, id: string) =>
  (await city.bookings.view(person, await city.bookings.get(person, id))).commands

test('while critical edits are off neither rider nor admin can cancel, and no button says so', async () => {
  const { rider, driver, id } = await acceptedTrip()
  const admin = await city.addAdmin()
  city.settings.AllowCriticalEditsAdmin = false
  for (const person of [rider, admin]) {
    expect(await commandsFor(person, id)).not.toContain('cancel')
    const refused = { key: 'demo_mode' }
    await expect(city.bookings.cancellation(person, id)).rejects.toMatchObject(refused)
    const cancelling = city.bookings.commands.cancel(city.order(person, id), { reason: 'x' })
    await expect(cancelling).rejects.toMatchObject(refused)
  }
  expect(await commandsFor(driver, id)).toContain('cancel')
  expect(await city.bookings.cancellation(driver, id)).toEqual({ fee: 0, free: true, why: 'free' })
  const { booking } = await city.bookings.commands.cancel(city.order(driver, id), { reason: 'flat tyre' })
  expect(booking.status).toBe('CANCELLED')
})
