import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { adminCredit } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ManualClock } from '../../platform/clock/manual-clock.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { createTestCity, type TestCity, taxiTest } from './booking-city.fixture.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
let clock: ManualClock
beforeAll(async () => {
  city = await createTestCity()
  clock = city.clock as ManualClock
  // Only the drivers that a test names are asked.
  city.settings.autoDispatch = false
})
afterAll(() => city.close())

const settled = async () => {
  const left = async () => {
    await city.outbox.idle()
    return (await city.database.pool.query('select from outbox')).rowCount
  }
  await expect.poll(left, { timeout: 15_000, interval: 100 }).toBe(0)
}

/** The notices that a user has not read, oldest first; about one booking if it is given. The places of the trips do not count. */
async function unread({ id }: Actor, booking: string | null = null): Promise<string[]> {
  await settled()
  const { rows } = await city.database.pool.query<{ title: string }>(
    `select title from user_notifications where user_id = $1 and read_at is null
      and ($2::uuid is null or booking_id = $2) and title <> 'notify.ended_far.title' order by id`,
    [id, booking],
  )
  return rows.map(({ title }) => title.replace(/^notify\.(\w+)\.title$/, '$1'))
}

/** A cash trip up to the step before its end. */
async function reached(rider: Actor) {
  const driver = await city.addDriver(pickup)
  const { commands } = city.bookings
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  const order = city.order(driver, booking.id)
  await commands.accept(order)
  await commands.arrive(order)
  await commands.start(order, {})
  await commands.reach(order, {})
  return { id: booking.id, driver }
}
const close = (trip: Awaited<ReturnType<typeof reached>>, collected: 'all' | 'trip' | 'nothing') =>
  city.bookings.commands.close(city.order(trip.driver, trip.id), { collected })

test('request: taken by one driver -> ended for both, and for all other bookings of the one who took it', async () => {
  const rider = await city.addRider()
  const drivers = [await city.addDriver(pickup), await city.addDriver(pickup)] as const
  const { booking } = await city.bookings.create(rider, city.request(), null)
  const { booking: other } = await city.bookings.create(await city.addRider(), city.request(), null)
  await city.ask(booking.id, drivers)
  await city.ask(other.id, [drivers[0]])
  expect([await unread(drivers[0]), await unread(drivers[1])]).toEqual([
    ['new_booking', 'new_booking'],
    ['new_booking'],
  ])
  await city.bookings.commands.accept(city.order(drivers[0], booking.id))
  expect([await unread(drivers[0]), await unread(drivers[1])]).toEqual([[], []])
})

test('request: withdrawn or declined -> ended for that driver only', async () => {
  const drivers = [await city.addDriver(pickup), await city.addDriver(pickup)] as const
  const rider = await city.addRider()
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, drivers)
  await city.bookings.commands.decline(city.order(drivers[0], booking.id))
  expect([await unread(drivers[0]), await unread(drivers[1])]).toEqual([[], ['new_booking']])
  await city.bookings.commands.cancel(city.order(rider, booking.id), { reason: 'changed my mind' })
  expect(await unread(drivers[1])).toEqual([])
})

test('steps: each ends what the last one said, also when they are published together', async () => {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  const order = city.order(driver, booking.id)
  await city.bookings.commands.accept(order)
  expect(await unread(rider, booking.id)).toEqual(['accepted'])
  await city.bookings.commands.arrive(order)
  expect(await unread(rider, booking.id)).toEqual(['driver_near'])
  await city.outbox.stop()
  const late = await reached(rider)
  city.outbox.start()
  expect(await unread(rider, late.id)).toEqual([])
  const { rows } = await city.database.pool.query(
    `select read_at is not null as is_read from user_notifications where booking_id = $1 and title = any($2)`,
    [late.id, ['accepted', 'driver_near', 'trip_started'].map((notice) => `notify.${notice}.title`)],
  )
  expect(rows).toEqual([{ is_read: true }, { is_read: true }, { is_read: true }])
})

taxiTest('payment: trip not paid in cash -> the question ends when the money comes', async () => {
  const rider = await city.addRider()
  const trip = await reached(rider)
  await close(trip, 'nothing')
  expect(await unread(rider, trip.id)).toEqual(['not_paid'])
  await city.bookings.commands.confirm_cash(city.order(trip.driver, trip.id))
  expect(await unread(rider, trip.id)).not.toContain('not_paid')
})

taxiTest(
  'objection: made -> the question ends for the rider; decided -> it ends for the driver',
  async () => {
    const rider = await city.addRider()
    const trip = await reached(rider)
    await close(trip, 'nothing')
    await city.bookings.commands.object(city.order(rider, trip.id), { reason: 'I paid in coins' })
    expect(await unread(rider, trip.id)).toEqual([])
    expect(await unread(trip.driver, trip.id)).toEqual(['objected'])
    await city.bookings.commands.decide_objection(city.order(await city.addAdmin(), trip.id), {
      outcome: 'paid',
      reason: 'the driver has it',
    })
    expect(await unread(trip.driver, trip.id)).not.toContain('objected')
  },
)

taxiTest('debt: left unpaid with a trip -> ends when nothing is owed, not with a part', async () => {
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  await clock.advance(3 * 60_000)
  await city.bookings.commands.cancel(city.order(rider, booking.id), { reason: 'changed my mind' })
  await settled()
  const trip = await reached(rider)
  await close(trip, 'trip')
  expect(await unread(rider, trip.id)).toContain('outstanding_not_paid')
  const pay = async (amount: number) => {
    const origin = { at: clock.now(), currency: 'UYU', by: null }
    await city.wallet.appendOnce([adminCredit(uuidv7(), rider.id, amount)], origin)
    await city.database.withTransaction((tx) => city.outbox.write(tx, [userChangedEvent(rider.id)]))
  }
  await pay(2 * unit)
  expect(await unread(rider, trip.id)).toContain('outstanding_not_paid')
  await pay(3 * unit)
  expect(await unread(rider, trip.id)).not.toContain('outstanding_not_paid')
})
