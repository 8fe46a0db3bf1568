import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../../test-rounds.ts'
import { createTestCity, type TestCity, taxiTest } from './booking-city.fixture.ts'
import type { BookingWithRequests } from './store/read-bookings.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  // One driver is always nearby, whichever drivers the tests keep busy.
  await city.addDriver()
})
afterAll(() => city.close())

/** The resulting status of each attempt, or the key of its refusal. */
async function outcomes(attempts: Promise<BookingWithRequests>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value.booking.status
    if (one.reason instanceof Refusal) return one.reason.key
    throw one.reason
  })
}

async function newBooking(rider: Actor, drivers: readonly Actor[]): Promise<string> {
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, drivers)
  return booking.id
}

const free = (driver: Actor) =>
  city.database.pool.query('update users set queue = false where id = $1', [driver.id])
const row = async (id: string) =>
  (await city.database.pool.query('select * from bookings where id = $1', [id])).rows[0]
const end = (id: string) =>
  city.database.pool.query(
    `update bookings set status = 'CANCELLED', cancelled_by = 'system' where id = $1`,
    [id],
  )

describe('concurrency', { timeout: 120_000 }, () => {
  test('two drivers accept one booking -> one gets it, the other already_taken', async () => {
    const rider = await city.addRider()
    const [one, two] = [await city.addDriver(), await city.addDriver()]
    const { accept } = city.bookings.commands
    for (let round = 0; round < rounds(25, 100); round++) {
      const id = await newBooking(rider, [one, two])
      const got = await outcomes([accept(city.order(one, id)), accept(city.order(two, id))])
      expect([...got].sort()).toEqual(['ACCEPTED', 'already_taken'])
      const winner = got[0] === 'ACCEPTED' ? one : two
      expect(await row(id)).toMatchObject({ driver: winner.id, version: 2, status: 'ACCEPTED' })
      const busy = await city.database.pool.query('select id from users where queue and id = any($1)', [
        [one.id, two.id],
      ])
      expect(busy.rows).toEqual([{ id: winner.id }])
      await end(id)
      await free(winner)
    }
  })

  test('one driver accepts two bookings -> one succeeds, the other already_busy', async () => {
    const [ann, bob] = [await city.addRider(), await city.addRider()]
    const driver = await city.addDriver()
    const { accept } = city.bookings.commands
    for (let round = 0; round < rounds(25, 100); round++) {
      const ids = [await newBooking(ann, [driver]), await newBooking(bob, [driver])]
      const got = await outcomes(ids.map((id) => accept(city.order(driver, id))))
      expect([...got].sort()).toEqual(['ACCEPTED', 'already_busy'])
      for (const id of ids) await end(id)
      await free(driver)
    }
  })

  test('driver accepts while the rider cancels -> one consistent outcome', async () => {
    const rider = await city.addRider()
    const driver = await city.addDriver()
    const { accept, cancel } = city.bookings.commands
    const seen = new Set<string>()
    for (let round = 0; round < rounds(25, 100); round++) {
      const id = await newBooking(rider, [driver])
      const got = await outcomes([
        accept(city.order(driver, id)),
        cancel(city.order(rider, id), { reason: 'changed my mind' }),
      ])
      seen.add(got.join())
      const booking = await row(id)
      expect(booking.status).toBe('CANCELLED')
      // An accepted booking can still be cancelled; a cancelled one cannot be accepted.
      expect(['ACCEPTED,CANCELLED', 'wrong_status,CANCELLED']).toContain(got.join())
      expect(booking.version).toBe(got[0] === 'ACCEPTED' ? 3 : 2)
      const { rows } = await city.database.pool.query('select queue from users where id = $1', [driver.id])
      expect(rows).toEqual([{ queue: false }])
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('two admins cancel one booking -> only the one that succeeds is in the audit log', async () => {
    const rider = await city.addRider()
    const admins = [await city.addAdmin(), await city.addAdmin()]
    const { cancel } = city.bookings.commands
    for (let round = 0; round < 20; round++) {
      const id = await newBooking(rider, [])
      const got = await outcomes(admins.map((one) => cancel(city.order(one, id), { reason: 'by mistake' })))
      expect([...got].sort()).toEqual(['CANCELLED', 'wrong_status'])
      const audited = await city.database.pool.query('select by_user from audit_log where subject = $1', [id])
      expect(audited.rows).toEqual([{ by_user: admins[got.indexOf('CANCELLED')]?.id }])
    }
  })

  test('create with one key, three times at once -> one booking, one response', async () => {
    const rider = await city.addRider()
    const keys = rounds(25, 50)
    for (let round = 0; round < keys; round++) {
      const key = uuidv7()
      const answers = await Promise.all(
        [1, 2, 3].map(() => city.bookings.create(rider, city.request({ payment_mode: 'cash' }), key)),
      )
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
      await end(answers[0]?.booking.id ?? '')
    }
    const made = await city.database.pool.query('select count(*) as n from bookings where customer = $1', [
      rider.id,
    ])
    expect(made.rows[0].n).toBe(keys)
  })

  taxiTest('open bookings: one rider books twelve times at once -> two created, ten refused', async () => {
    const rider = await city.addRider()
    const admin = await city.addAdmin()
    const book = () => city.bookings.create(rider, city.request(), null)
    for (let count = 0; count < 3; count++) {
      await city.bookings.create(admin, city.request({ customer: rider.id }), null)
    }
    const got = await outcomes(Array.from({ length: 12 }, book))
    expect(got.filter((outcome) => outcome === 'NEW')).toHaveLength(2)
    expect(got.filter((outcome) => outcome === 'too_many_searches')).toHaveLength(10)
    // Once a driver is found for these, the next ones may search, up to five in all.
    const found = () =>
      city.database.pool.query(
        `update bookings set status = 'PAYMENT_PENDING' where customer = $1 and not booking_type_admin`,
        [rider.id],
      )
    await found()
    await Promise.all([book(), book()])
    await found()
    expect((await outcomes([book(), book(), book()])).sort()).toEqual([
      'NEW',
      'too_many_bookings',
      'too_many_bookings',
    ])
  })

  taxiTest('open bookings: one rider books thirty later trips at once -> twenty created', async () => {
    const rider = await city.addRider()
    const tripdate = city.clock.now() + 24 * 60 * 60_000
    const got = await outcomes(
      Array.from({ length: 30 }, () =>
        city.bookings.create(rider, city.request({ bookLater: true, tripdate }), null),
      ),
    )
    expect(got.filter((outcome) => outcome === 'NEW')).toHaveLength(20)
    expect(got.filter((outcome) => outcome === 'too_many_bookings')).toHaveLength(10)
  })

  test('promo: one rider requests all its uses at once -> five, some are left for others', async () => {
    const rider = await city.addRider()
    const promo = uuidv7()
    await city.database.pool.query(
      `insert into promos (id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value,
        min_order, promo_validity, promo_usage_limit, created_at) values ($1, 'EVERYBODY', 'flat', 10000, 0, 0, $2, 12, 0)`,
      [promo, city.clock.now() + 1e9],
    )
    const request = city.request({
      bookLater: true,
      tripdate: city.clock.now() + 24 * 60 * 60_000,
      promo: 'everybody',
    })
    const got = await outcomes(Array.from({ length: 12 }, () => city.bookings.create(rider, request, null)))
    expect(got.filter((outcome) => outcome === 'NEW')).toHaveLength(5)
    expect(got.filter((outcome) => outcome === 'promo_not_valid')).toHaveLength(7)
    const plain = await city.bookings.create(rider, { ...request, promo: undefined }, null)
    const choice = city.bookings.commands.choose_payment(city.order(rider, plain.booking.id), {
      payment_mode: 'cash',
      promo: 'everybody',
    })
    await expect(choice).rejects.toMatchObject({ key: 'promo_not_valid', data: { why: 'used_by_rider' } })
    const other = await city.bookings.create(await city.addRider(), request, null)
    expect(other.booking.promo_id).toBe(promo)
  })

  test('promo: chosen for twelve open bookings at once -> five get it', async () => {
    const rider = await city.addRider()
    await city.database.pool.query(
      `insert into promos (id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value,
        min_order, promo_validity, promo_usage_limit, created_at) values ($1, 'CHOSEN', 'flat', 10000, 0, 0, $2, 100, 0)`,
      [uuidv7(), city.clock.now() + 1e9],
    )
    const tripdate = city.clock.now() + 24 * 60 * 60_000
    const later = city.request({ bookLater: true, tripdate })
    const made = await Promise.all(Array.from({ length: 12 }, () => city.bookings.create(rider, later, null)))
    const got = await outcomes(
      made.map(({ booking }) =>
        city.bookings.commands.choose_payment(city.order(rider, booking.id), {
          payment_mode: 'cash',
          promo: 'chosen',
        }),
      ),
    )
    expect(got.filter((outcome) => outcome === 'NEW')).toHaveLength(5)
    expect(got.filter((outcome) => outcome === 'promo_not_valid')).toHaveLength(7)
  })

  test('idempotency key: sent with another body -> idempotency_mismatch', async () => {
    const rider = await city.addRider()
    const key = uuidv7()
    await city.bookings.create(rider, city.request(), key)
    const other = city.bookings.create(
      rider,
      city.request({ drop: { lat: -34.87, lng: -56.1, add: 'X' } }),
      key,
    )
    await expect(other).rejects.toMatchObject({ key: 'idempotency_mismatch' })
  })

  test('promo: twelve bookings for three remaining uses -> three get it', async () => {
    const promo = uuidv7()
    await city.database.pool.query(
      `insert into promos (id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value,
        promo_validity, promo_usage_limit, created_at) values ($1, $2, 'flat', $3, 0, $4, 3, 0)`,
      [promo, 'THREE', 20 * unit, city.clock.now() + 1_000_000],
    )
    const riders = await Promise.all(Array.from({ length: 12 }, () => city.addRider()))
    const got = await outcomes(
      riders.map((rider) => city.bookings.create(rider, city.request({ promo: 'three' }), null)),
    )
    expect(got.filter((one) => one === 'NEW')).toHaveLength(3)
    expect(got.filter((one) => one === 'promo_not_valid')).toHaveLength(9)
    const used = await city.database.pool.query('select user_avail as n from promos where id = $1', [promo])
    expect(used.rows[0].n).toBe(3)
  })
})
