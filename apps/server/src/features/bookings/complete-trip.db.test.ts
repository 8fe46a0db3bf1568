import { readdirSync, readFileSync } from 'node:fs'
import type { Actor } from '@hansom/domain/access/relation'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ManualClock } from '../../platform/clock/manual-clock.ts'
import { createTestCity, type TestCity, taxiTest } from './booking-city.fixture.ts'
import { drop, pickup } from './straight-city.fixture.ts'

let city: TestCity
let clock: ManualClock
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  clock = city.clock as ManualClock
})
afterAll(() => city.close())

const minutes = (n: number) => clock.advance(n * 60_000)

async function credit(actor: Actor, amount: number): Promise<void> {
  const { adminCredit } = await import('@hansom/domain/wallet/user-entries')
  const origin = { at: clock.now(), currency: 'UYU', by: null }
  await city.wallet.appendOnce([adminCredit(uuidv7(), actor.id, amount)], origin)
}

/** From the pickup to the drop, with a point every 15 s. */
async function drive(driver: Actor): Promise<void> {
  for (let step = 1; step <= 40; step++) {
    await clock.advance(15_000)
    const share = step / 40
    const at = {
      lat: pickup.lat + (drop.lat - pickup.lat) * share,
      lng: pickup.lng + (drop.lng - pickup.lng) * share,
      at: clock.now(),
    }
    await city.tracking.report(driver, [at])
  }
}

interface Trip {
  id: string
  rider: Actor
  driver: Actor
}

/** A trip up to REACHED. */
async function reached(
  changes: { payment_mode?: PaymentMode; promo?: string; riderHas?: number } = {},
): Promise<Trip> {
  const { riderHas = 0, ...request } = changes
  const rider = await city.addRider()
  if (riderHas > 0) await credit(rider, riderHas)
  const driver = await city.addDriver(pickup)
  const { commands } = city.bookings
  const { booking } = await city.bookings.create(rider, city.request(request), null)
  await city.ask(booking.id, [driver])
  await commands.accept(city.order(driver, booking.id))
  await minutes(1)
  await commands.arrive(city.order(driver, booking.id))
  await commands.start(city.order(driver, booking.id), {})
  await drive(driver)
  await commands.reach(city.order(driver, booking.id), {})
  return { id: booking.id, rider, driver }
}

const bookingOf = async ({ id, rider }: Trip) => (await city.bookings.get(rider, id)).booking

describe('complete trip', () => {
  taxiTest('cash -> fare calculated from the track, the driver owes the fee', async () => {
    const trip = await reached()
    const booking = await bookingOf(trip)
    expect(booking.distance).toBeCloseTo(booking.estimateDistance, 1)
    expect(booking.total_trip_time).toBe(600)
    expect(booking.trip_cost).toBe(booking.driver_share + booking.convenience_fees)
    const paid = await city.bookings.commands.close(city.order(trip.driver, trip.id), {})
    expect(paid.booking).toMatchObject({
      status: 'PAID',
      cashPaymentAmount: booking.trip_cost,
      payableAmount: 0,
    })
    expect(await city.accounts(trip.id)).toEqual({
      [`user:${trip.driver.id}`]: -booking.convenience_fees,
      platform: booking.convenience_fees,
    })
    expect(await city.balance(trip.driver)).toBe(-booking.convenience_fees)
    const done = await city.bookings.commands.rate(city.order(trip.rider, trip.id), { rating: 4 })
    expect(done.booking).toMatchObject({ status: 'COMPLETE', rating: 4 })
    await city.bookings.commands.rate_rider(city.order(trip.driver, trip.id), { rating: 5 })
    await city.outbox.idle()
    expect((await city.users.me(trip.driver.id))?.rating).toBe(4)
    expect((await city.users.me(trip.driver.id))?.queue).toBe(false)
    const addresses = await city.users.savedAddresses(trip.rider.id)
    expect(addresses).toMatchObject([{ count: 1 }])
    const events = await city.bookings.events(await city.addAdmin(), trip.id)
    expect(events.map((event) => event.to)).toEqual([
      'NEW',
      'ACCEPTED',
      'ARRIVED',
      'STARTED',
      'REACHED',
      'PAID',
      'COMPLETE',
      'COMPLETE',
    ])
  })

  taxiTest('wallet -> the rider pays, the driver gets the share', async () => {
    const trip = await reached({ payment_mode: 'wallet', riderHas: 1000 * unit })
    const booking = await bookingOf(trip)
    const paid = await city.bookings.commands.close(city.order(trip.driver, trip.id), {})
    expect(paid.booking.status).toBe('PAID')
    expect(await city.accounts(trip.id)).toEqual({
      [`user:${trip.rider.id}`]: -booking.trip_cost,
      [`user:${trip.driver.id}`]: booking.driver_share,
      platform: booking.convenience_fees,
    })
    expect(await city.balance(trip.rider)).toBe(1000 * unit - booking.trip_cost)
  })

  taxiTest('wallet balance too low -> pending, driver is free, cash settles it once', async () => {
    const trip = await reached({ payment_mode: 'wallet', riderHas: 1000 * unit })
    await credit(trip.rider, -999 * unit)
    const { commands } = city.bookings
    const pending = await commands.close(city.order(trip.driver, trip.id), {})
    expect(pending.booking).toMatchObject({ status: 'PENDING' })
    expect((await city.users.me(trip.driver.id))?.queue).toBe(false)
    await city.addDriver(pickup)
    // Outstanding amounts do not block the next booking.
    const again = await city.bookings.create(trip.rider, city.request(), null)
    expect(again.booking.status).toBe('NEW')
    await expect(commands.pay_by_wallet(city.order(trip.rider, trip.id))).rejects.toMatchObject({
      key: 'low_wallet',
    })
    const both = await Promise.allSettled([
      commands.confirm_cash(city.order(trip.driver, trip.id)),
      commands.confirm_cash(city.order(trip.driver, trip.id)),
    ])
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    const { convenience_fees } = await bookingOf(trip)
    expect(await city.balance(trip.driver)).toBe(-convenience_fees)
  })

  test('cash with a promo -> the platform bears the discount', async () => {
    const promo = uuidv7()
    await city.database.pool.query(
      `insert into promos (id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value,
        promo_validity, promo_usage_limit, created_at) values ($1, 'TWENTY', 'flat', $2, 0, $3, 9, 0)`,
      [promo, 20 * unit, clock.now() + 100_000_000],
    )
    const trip = await reached({ promo: 'twenty' })
    const paid = await city.bookings.commands.close(city.order(trip.driver, trip.id), {})
    const { trip_cost, driver_share, convenience_fees } = paid.booking
    expect(paid.booking.customer_paid).toBe(trip_cost - 20 * unit)
    expect(await city.accounts(trip.id)).toEqual({
      promo: -20 * unit,
      platform: convenience_fees,
      [`user:${trip.driver.id}`]: driver_share - (trip_cost - 20 * unit),
    })
  })

  test('offer, estimate, booking -> the same fare', async () => {
    const rider = await city.addRider()
    await city.addDriver(pickup)
    const { offers } = await city.bookings.offers(pickup, drop)
    const estimate = await city.bookings.estimate({ pickup, drop, car_type_id: city.carType })
    const agreed = estimate.estimateFare
    expect(offers[0]?.fare).toEqual(estimate.fare)
    const { booking } = await city.bookings.create(rider, city.request({ estimate: agreed }), null)
    expect({ ...booking.fare_parts, return_leg: 0, driver_share: null }).toEqual(estimate.fare)
    expect(booking.booking_id).toMatch(/^[2-9A-Z]{6}$/)
    const wrong = city.bookings.create(rider, city.request({ estimate: agreed + 1 }), null)
    await expect(wrong).rejects.toMatchObject({ key: 'fare_changed', data: { fare: estimate.fare } })
  })

  test('offer, estimate, booking: destination equals the pickup -> same_place', async () => {
    const rider = await city.addRider()
    const refusal = { key: 'same_place' }
    await expect(city.bookings.offers(pickup, pickup)).rejects.toMatchObject(refusal)
    const priced = city.bookings.estimate({ pickup, drop: pickup, car_type_id: city.carType })
    await expect(priced).rejects.toMatchObject(refusal)
    const request = city.request({ drop: { ...pickup, add: 'The same corner' } })
    await expect(city.bookings.create(rider, request, null)).rejects.toMatchObject(refusal)
  })

  test('ledger -> all legs sum to zero and match the wallets', async () => {
    const { rows } = await city.database.pool.query('select sum(amount)::bigint as sum from ledger_legs')
    expect(rows[0].sum).toBe(0)
    const balances = await city.database.pool.query(
      `select u.id from users u left join ledger_legs l on l.user_id = u.id
        group by u.id having u.wallet_balance <> coalesce(sum(l.amount), 0)`,
    )
    expect(balances.rows).toEqual([])
  })
})

describe('cancel', () => {
  async function accepted() {
    const rider = await city.addRider()
    const driver = await city.addDriver(pickup)
    const { booking } = await city.bookings.create(rider, city.request(), null)
    await city.ask(booking.id, [driver])
    await city.bookings.commands.accept(city.order(driver, booking.id))
    return { id: booking.id, rider, driver }
  }

  test('rider, after acceptance -> pays the fee of the slab, as quoted', async () => {
    const trip = await accepted()
    const free = await city.bookings.cancellation(trip.rider, trip.id)
    expect(free).toMatchObject({ fee: 0, free: true, why: 'free', next: { fee: 5 * unit } })
    await minutes(3)
    const quote = await city.bookings.cancellation(trip.rider, trip.id)
    expect(quote).toMatchObject({ fee: 5 * unit, free: false, why: 'slab' })
    // A fee that has since become due requires a new confirmation.
    await expect(
      city.bookings.commands.cancel(city.order(trip.rider, trip.id), { reason: 'changed my mind', fee: 0 }),
    ).rejects.toMatchObject({ key: 'cancellation_fee_changed', data: { fee: 5 * unit } })
    await city.bookings.commands.cancel(city.order(trip.rider, trip.id), { reason: 'changed my mind' })
    await city.outbox.idle()
    expect(await city.balance(trip.rider)).toBe(-5 * unit)
    // The driver is credited once the rider has paid.
    expect(await city.balance(trip.driver)).toBe(0)
    await credit(trip.rider, 3 * unit)
    await city.outbox.idle()
    expect(await city.balance(trip.driver)).toBe(3 * unit)
  })

  test('driver -> rider gets a linked booking that searches for another driver', async () => {
    const trip = await accepted()
    await city.bookings.commands.cancel(city.order(trip.driver, trip.id), { reason: 'flat tyre' })
    const old = await bookingOf(trip)
    expect(old).toMatchObject({ status: 'CANCELLED', cancelledBy: 'driver' })
    const { booking: next } = await city.bookings.get(trip.rider, old.rebooked_as as string)
    expect(next).toMatchObject({
      status: 'NEW',
      rebooked_from: trip.id,
      excluded_drivers: [trip.driver.id],
      trip_cost: old.trip_cost,
      driver: null,
      version: 1,
    })
    await city.outbox.idle()
    expect((await city.users.me(trip.driver.id))?.queue).toBe(false)
    const waiting = await city.database.pool.query(
      `select data from pgboss.job where name = 'booking.dispatch' and data->>'booking' = $1`,
      [next.id],
    )
    expect(waiting.rows).toHaveLength(1)
  })
})

test('apply_booking_decision: a write fails -> nothing is written', async () => {
  const rider = await city.addRider()
  await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  const count = async () => {
    const counts = ['booking_events', 'outbox', 'ledger_entries', 'booking_requests'].map((table) =>
      city.database.pool.query(`select count(*) as n from ${table}`),
    )
    return (await Promise.all(counts)).map((reply) => reply.rows[0].n)
  }
  await city.outbox.idle()
  const before = await count()
  // The database rejects the last write of the function.
  const broken = city.database.pool.query('select apply_booking_decision($1)', [
    {
      now: 1,
      changes: [{ id: booking.id, version: 1, set: { status: 'CANCELLED', cancelled_by: 'rider' } }],
      closed: booking.id,
      events: [
        {
          booking_id: booking.id,
          version: 2,
          at: 1,
          actor: 'rider',
          command: 'cancel',
          to_status: 'CANCELLED',
        },
      ],
      outbox: [{ kind: null, payload: {} }],
    },
  ])
  await expect(broken).rejects.toThrow(/null value/)
  expect((await city.bookings.get(rider, booking.id)).booking).toMatchObject({ status: 'NEW', version: 1 })
  expect(await count()).toEqual(before)
})

taxiTest(
  "migration: saved places -> renamed ones get their trip's address, others are unchanged",
  async () => {
    const { pool } = city.database
    const places = [await reached(), await reached()].map(({ rider }) => rider)
    await city.outbox.idle()
    const [renamed, plain] = places as [Actor, Actor]
    const [before] = await city.users.savedAddresses(plain.id)
    await pool.query(`update saved_addresses set description = 'Work' where user_id = $1`, [renamed.id])

    const folder = new URL('../../../migrations/', import.meta.url)
    const file = readdirSync(folder).find((name) => name.endsWith('_place_labels.sql')) ?? ''
    const statements = readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint')
    await pool.query(statements.at(-1) ?? '')
    expect(await city.users.savedAddresses(renamed.id)).toMatchObject([
      { label: 'Work', description: before?.description },
    ])
    expect(await city.users.savedAddresses(plain.id)).toEqual([before])
  },
)

test('ledger: entry does not sum to zero, update, delete -> rejected', async () => {
  const { pool } = city.database
  const entry = (legs: object[]) =>
    pool.query('select append_ledger($1::jsonb, $2)', [
      JSON.stringify([{ id: uuidv7(), at: 1, kind: 'x', key: uuidv7(), currency: 'UYU', legs }]),
      [],
    ])
  await expect(
    entry([
      { account: 'platform', amount: 1 },
      { account: 'bank', amount: -2 },
    ]),
  ).rejects.toThrow(/sum to/)
  await expect(entry([])).rejects.toThrow(/legs/)
  await entry([
    { account: 'platform', amount: 2 },
    { account: 'bank', amount: -2 },
  ])
  await expect(pool.query('update ledger_legs set amount = amount + 1')).rejects.toThrow(/append-only/)
  await expect(pool.query('delete from ledger_entries')).rejects.toThrow(/append-only/)
  await expect(pool.query('truncate ledger_legs')).rejects.toThrow(/append-only/)
})
