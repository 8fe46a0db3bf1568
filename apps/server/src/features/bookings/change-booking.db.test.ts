import type { ListChange } from '@hansom/contract/live'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rounds } from '../../test-rounds.ts'
import { createTestCity, type TestCity, taxiTest } from './booking-city.fixture.ts'
import type { BookingWithRequests } from './store/read-bookings.ts'
import { drop, pickup } from './straight-city.fixture.ts'

let city: TestCity
let admin: Actor
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  admin = await city.addAdmin()
  await city.addDriver()
})
beforeEach(() => {
  city.settings.autoDispatch = true
})
afterAll(() => city.close())

const farther = { lat: drop.lat + 0.03, lng: drop.lng, add: 'Farther' }
const nearer = { lat: drop.lat - 0.005, lng: drop.lng, add: 'Nearer' }

async function outcomes(attempts: Promise<BookingWithRequests>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value.booking.status
    if (one.reason instanceof Refusal) return one.reason.key
    throw one.reason
  })
}
const row = async (id: string) =>
  (await city.database.pool.query('select * from bookings where id = $1', [id])).rows[0]
async function end(id: string, drivers: readonly Actor[] = []) {
  await city.database.pool.query(
    `update bookings set status = 'CANCELLED', cancelled_by = 'system' where id = $1`,
    [id],
  )
  await city.database.pool.query('update users set queue = false where id = any($1)', [
    drivers.map((driver) => driver.id),
  ])
}
async function requested(driver: Actor): Promise<{ rider: Actor; id: string }> {
  const rider = await city.addRider()
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  return { rider, id: booking.id }
}
async function accepted(driver: Actor) {
  const trip = await requested(driver)
  await city.bookings.commands.accept(city.order(driver, trip.id))
  return trip
}

describe('change', () => {
  taxiTest(
    'admin moves the drop of an accepted trip -> quoted, stored, told to both, in history and audit',
    async () => {
      const driver = await city.addDriver(pickup)
      const { rider, id } = await accepted(driver)
      const before = await row(id)
      const { booking: quote } = await city.bookings.quoteChange(admin, { id, drop: farther })
      expect(quote.trip_cost).toBeGreaterThan(before.trip_cost)
      expect((await row(id)).version).toBe(before.version)
      const { change } = city.bookings.commands
      const stale = change(city.order(admin, id), { drop: farther, estimate: before.trip_cost })
      await expect(stale).rejects.toMatchObject({ key: 'fare_changed', data: { trip_cost: quote.trip_cost } })
      await change(city.order(admin, id), { drop: farther, estimate: quote.trip_cost })
      expect(await row(id)).toMatchObject({
        drop: farther,
        trip_cost: quote.trip_cost,
        estimate: quote.trip_cost,
        status: 'ACCEPTED',
      })
      await city.outbox.idle()
      const seen = (user: Actor) =>
        city.published.filter(({ channel }) => channel === `bookings|${user.id}`).at(-1)?.data as ListChange
      for (const user of [rider, driver]) {
        expect(seen(user)).toMatchObject({ put: { dropAddress: 'Farther', trip_cost: quote.trip_cost } })
      }
      const last = (await city.bookings.events(admin, id)).at(-1)
      expect(last).toMatchObject({
        command: 'change',
        changes: [
          { field: 'drop', from: drop.add, to: 'Farther' },
          { field: 'trip_cost', from: before.trip_cost, to: quote.trip_cost },
        ],
      })
      expect(last?.sent.map(({ title }) => title).sort()).toEqual([
        'notify.booking_changed.title',
        'notify.trip_changed.title',
      ])
      const audit = await city.database.pool.query(
        `select before, after from audit_log where subject = $1 and action = 'bookings.change'`,
        [id],
      )
      expect(audit.rows).toEqual([
        {
          before: { dropAddress: drop.add, trip_cost: before.trip_cost },
          after: { dropAddress: 'Farther', trip_cost: quote.trip_cost },
        },
      ])
      await end(id, [driver])
    },
  )

  taxiTest('rider moves a running trip -> new estimate past the car; a stranger -> not_found', async () => {
    const driver = await city.addDriver(pickup)
    const { rider, id } = await accepted(driver)
    const { arrive, start, change } = city.bookings.commands
    await arrive(city.order(driver, id))
    await start(city.order(driver, id))
    await expect(change(city.order(await city.addRider(), id), { drop: nearer })).rejects.toMatchObject({
      key: 'not_found',
    })
    await expect(change(city.order(driver, id), { drop: nearer })).rejects.toMatchObject({ key: 'not_found' })
    const { booking } = await change(city.order(rider, id), { drop: nearer })
    expect(booking).toMatchObject({ status: 'STARTED', drop: nearer })
    expect(booking.trip_cost).toBe(booking.estimate)
    await expect(change(city.order(rider, id), { pickup: farther })).rejects.toMatchObject({
      key: 'wrong_status',
      data: { fields: ['pickup'] },
    })
    await end(id, [driver])
  })

  test('searching -> the old requests are withdrawn, the dispatch job is moved', async () => {
    const driver = await city.addDriver(pickup)
    const { id } = await requested(driver)
    const tripdate = city.clock.now() + 2 * 3_600_000
    await city.bookings.commands.change(city.order(admin, id), { bookLater: true, tripdate })
    await city.outbox.idle()
    const requests = await city.database.pool.query('select from booking_requests where booking_id = $1', [
      id,
    ])
    expect(requests.rowCount).toBe(0)
    await expect(city.bookings.commands.accept(city.order(driver, id))).rejects.toMatchObject({
      key: 'not_requested',
    })
    const jobs = await city.database.pool.query(
      `select start_after from pgboss.job where name = 'booking.dispatch' and data->>'booking' = $1
        order by start_after desc limit 1`,
      [id],
    )
    expect(new Date(jobs.rows[0].start_after).getTime() - Date.now()).toBeGreaterThan(3_600_000)
    await end(id)
  })

  taxiTest('car type archived meanwhile -> refused', async () => {
    const { id } = await requested(await city.addDriver(pickup))
    const gone = uuidv7()
    await city.database.pool.query(
      `insert into car_types select (jsonb_populate_record(c, jsonb_build_object('id', $1::text, 'name', 'Gone',
          'archived_at', 1))).* from car_types c where c.id = $2`,
      [gone, city.carType],
    )
    const { change } = city.bookings.commands
    await expect(change(city.order(admin, id), { car_type_id: gone })).rejects.toMatchObject({
      key: 'select_proper',
    })
    const forced = city.database.pool.query('update bookings set car_type_id = $2 where id = $1', [id, gone])
    await expect(forced).rejects.toMatchObject({ code: 'HN007' })
    await end(id)
  })
})

describe('races', { timeout: 120_000 }, () => {
  taxiTest(
    'change while a driver accepts -> accepted with one of the two fares, told if it is the new one',
    async () => {
      const driver = await city.addDriver(pickup)
      const { accept, change } = city.bookings.commands
      for (let round = 0; round < rounds(25, 40); round++) {
        const { id } = await requested(driver)
        const got = await outcomes([
          accept(city.order(driver, id)),
          change(city.order(admin, id), { drop: farther }),
        ])
        expect(['ACCEPTED,ACCEPTED', 'not_requested,NEW']).toContain(got.join())
        const after = await row(id)
        expect(after).toMatchObject({ drop: farther, version: got[0] === 'ACCEPTED' ? 3 : 2 })
        expect(after.driver).toBe(got[0] === 'ACCEPTED' ? driver.id : null)
        await end(id, [driver])
      }
    },
  )

  test('new pickup while the driver starts -> one of them, never both', async () => {
    const driver = await city.addDriver(pickup)
    const { arrive, start, change } = city.bookings.commands
    const corner = { lat: pickup.lat + 0.01, lng: pickup.lng, add: 'Corner' }
    for (let round = 0; round < rounds(25, 40); round++) {
      const { id } = await accepted(driver)
      await arrive(city.order(driver, id))
      const got = await outcomes([
        start(city.order(driver, id)),
        change(city.order(admin, id), { pickup: corner }),
      ])
      expect(['STARTED,wrong_status', 'wrong_status,ACCEPTED']).toContain(got.join())
      await end(id, [driver])
    }
  })

  taxiTest('two changes at once -> both fields, one fare for both; one key twice -> one change', async () => {
    const driver = await city.addDriver(pickup)
    const { change } = city.bookings.commands
    const corner = { lat: pickup.lat + 0.004, lng: pickup.lng, add: 'Corner' }
    for (let round = 0; round < rounds(25, 40); round++) {
      const { rider, id } = await requested(driver)
      const got = await outcomes([
        change(city.order(rider, id), { drop: farther }),
        change(city.order(admin, id), { pickup: corner }),
      ])
      expect(got).toEqual(['NEW', 'NEW'])
      const { booking: both } = await city.bookings.get(admin, id)
      expect([both.pickup, both.drop]).toEqual([corner, farther])
      const { estimateFare } = await city.bookings.estimate({
        pickup: corner,
        drop: farther,
        car_type_id: city.carType,
      })
      expect(both.trip_cost).toBe(estimateFare)
      await end(id)
    }
    const { id } = await requested(driver)
    const key = uuidv7()
    await Promise.all([1, 2, 3].map(() => change(city.order(admin, id, key), { drop: farther })))
    expect((await row(id)).version).toBe(2)
    await end(id)
  })
})
