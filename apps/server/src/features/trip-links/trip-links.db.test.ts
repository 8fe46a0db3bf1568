import type { Actor } from '@hansom/domain/access/relation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { createTripLinksService, type TripLinksService } from './service.ts'

let city: TestCity
let links: TripLinksService
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  links = createTripLinksService({ ...city, ...withoutParcels })
})
afterAll(() => city.close())

const withoutParcels = {
  changeInstructions: async () => {},
  correctRecipient: async () => false,
  proofFile: async () => null,
}
const over = { key: 'link_expired' }
const tokenOf = (path: string) => path.slice('/track/'.length)

async function acceptedTrip() {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup, { vehicle_number: 'SDX 4021' })
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  return { id: booking.id, rider, driver }
}

test('trip link: trip in progress -> car and route without sign-in; over -> link_expired', async () => {
  const { id, rider, driver } = await acceptedTrip()
  const token = tokenOf(await links.create(rider, id))
  expect(token).toMatch(/^[\w-]{22}$/)
  await city.report(driver, { ...pickup, at: city.clock.now() })
  expect(await links.show(token)).toMatchObject({
    status: 'ACCEPTED',
    vehicle_number: 'SDX 4021',
    point: { lat: pickup.lat, lng: pickup.lng },
  })
  const { rows } = await city.database.pool.query('select token_hash from trip_links')
  expect(JSON.stringify(rows)).not.toContain(token)

  const { commands } = city.bookings
  await commands.arrive(city.order(driver, id), {})
  await commands.start(city.order(driver, id), {})
  expect(await links.show(token)).toMatchObject({ status: 'STARTED' })
  await commands.reach(city.order(driver, id), {})
  await expect(links.show(token)).rejects.toMatchObject(over)
  await expect(links.create(rider, id)).rejects.toMatchObject(over)
})

test('trip link: revoked or unknown token -> link_expired', async () => {
  const { id, rider } = await acceptedTrip()
  const tokens = [tokenOf(await links.create(rider, id)), tokenOf(await links.create(rider, id))]
  expect(await links.count(rider, id)).toBe(2)
  await links.revoke(rider, id)
  expect(await links.count(rider, id)).toBe(0)
  for (const token of [...tokens, 'AAAAAAAAAAAAAAAAAAAAAA', '']) {
    await expect(links.show(token)).rejects.toMatchObject(over)
  }
})

test('trip link: driver returns the trip -> link follows the new booking and can be revoked there', async () => {
  const { id, rider, driver } = await acceptedTrip()
  const token = tokenOf(await links.create(rider, id))
  const { booking } = await city.bookings.commands.cancel(city.order(driver, id), { reason: 'flat tyre' })
  const next = booking.rebooked_as as string
  expect(await links.show(token)).toMatchObject({ status: 'NEW' })
  expect(await links.count(rider, next)).toBe(1)
  await links.revoke(rider, next)
  await expect(links.show(token)).rejects.toMatchObject(over)
})

test('trip link: trip returned three times -> a viewer reads one booking', async () => {
  const { id, rider, driver } = await acceptedTrip()
  const token = tokenOf(await links.create(rider, id))
  const { commands } = city.bookings
  const giveBack = async (by: Actor, booking: string) =>
    (await commands.cancel(city.order(by, booking), { reason: 'flat tyre' })).booking.rebooked_as as string
  let newest = await giveBack(driver, id)
  for (let times = 1; times < 3; times += 1) {
    const next = await city.addDriver(pickup)
    await city.ask(newest, [next])
    await commands.accept(city.order(next, newest))
    newest = await giveBack(next, newest)
  }
  const read: string[] = []
  const counting = createTripLinksService({
    ...city,
    ...withoutParcels,
    bookings: {
      ...city.bookings,
      read: (booking) => {
        read.push(booking)
        return city.bookings.read(booking)
      },
    },
  })
  expect(await counting.show(token)).toMatchObject({ status: 'NEW' })
  expect(await counting.count(rider, newest)).toBe(1)
  expect(read).toEqual([newest])
})

test('trip link: twenty requests at once -> ten links', async () => {
  const { id, rider } = await acceptedTrip()
  const made = await Promise.allSettled(Array.from({ length: 20 }, () => links.create(rider, id)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await links.count(rider, id)).toBe(10)
})

test('trip link: stranger -> not_found', async () => {
  const { id } = await acceptedTrip()
  const stranger: Actor = await city.addRider()
  await expect(links.create(stranger, id)).rejects.toMatchObject({ key: 'not_found' })
  await expect(links.revoke(stranger, id)).rejects.toMatchObject({ key: 'not_found' })
})
