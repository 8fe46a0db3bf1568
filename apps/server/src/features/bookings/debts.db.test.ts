import type { Actor } from '@hansom/domain/access/relation'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { unit } from '@hansom/domain/money/amount'
import { writeOff } from '@hansom/domain/wallet/trip-entries'
import { adminCredit, withdrawRequested } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ManualClock } from '../../platform/clock/manual-clock.ts'
import { checkLedger, isConsistent } from '../ledger-check/check-ledger.ts'
import { waiveDue } from '../wallet/release-dues.ts'
import { collectFromWalletEvent } from '../wallet/service.ts'
import { createTestCity, type TestCity, taxiTest } from './booking-city.fixture.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
let clock: ManualClock
beforeAll(async () => {
  city = await createTestCity()
  clock = city.clock as ManualClock
})
afterAll(async () => {
  const check = await checkLedger(city.database.pool)
  await city.close()
  expect(check.differences).toEqual([])
  expect(isConsistent(check)).toBe(true)
})

const origin = () => ({ at: clock.now(), currency: 'UYU', by: null })
const put = (actor: Actor, amount: number) =>
  city.wallet.appendOnce([adminCredit(uuidv7(), actor.id, amount)], origin())
/** Waits until all events are published, including those retried after a deadlock. */
const settleEvents = async () => {
  const left = async () => {
    city.outbox.wake()
    await city.outbox.idle()
    return (await city.database.pool.query('select from outbox')).rowCount
  }
  await expect.poll(left, { timeout: 15_000, interval: 100 }).toBe(0)
}

interface Trip {
  id: string
  rider: Actor
  driver: Actor
}

async function accepted(rider?: Actor, payment_mode: PaymentMode = 'cash'): Promise<Trip> {
  const who = rider ?? (await city.addRider())
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(who, city.request({ payment_mode }), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  return { id: booking.id, rider: who, driver }
}

async function reached(rider?: Actor, payment_mode: PaymentMode = 'cash'): Promise<Trip> {
  const trip = await accepted(rider, payment_mode)
  const { commands } = city.bookings
  await commands.arrive(city.order(trip.driver, trip.id))
  await commands.start(city.order(trip.driver, trip.id), {})
  await commands.reach(city.order(trip.driver, trip.id), {})
  return trip
}

/** A trip that its rider cancels late: 5 are due to the driver. */
async function withFee(rider?: Actor): Promise<Trip> {
  const trip = await accepted(rider)
  await clock.advance(3 * 60_000)
  await city.bookings.commands.cancel(city.order(trip.rider, trip.id), { reason: 'changed my mind' })
  await settleEvents()
  return trip
}

/** A trip whose driver reports that nothing was paid. */
async function unpaid(rider?: Actor): Promise<Trip> {
  const trip = await reached(rider)
  await city.bookings.commands.close(city.order(trip.driver, trip.id), { collected: 'nothing', amount: 0 })
  return trip
}

const record = async ({ rider, id }: Trip) => city.bookings.get(rider, id)
const seen = async (actor: Actor, { id }: Trip) =>
  city.bookings.view(actor, await city.bookings.get(actor, id))
const due = async ({ id }: Trip) =>
  (await city.database.pool.query('select open from dues where booking_id = $1', [id])).rows[0]?.open ?? 0

describe('outstanding amount', () => {
  taxiTest(
    'a fee and an unpaid trip -> shown before booking, collected with the next cash trip',
    async () => {
      const fee = await withFee()
      const first = await unpaid(fee.rider)
      const trip = (await record(first)).booking.trip_cost
      expect(await city.bookings.outstanding(fee.rider)).toMatchObject({
        total: trip + 5 * unit,
        below: 5 * unit,
        trips: [{ id: first.id, amount: trip, contested: false }],
        fees: [{ id: fee.id, amount: 5 * unit, kind: 'fee' }],
      })
      const second = await reached(fee.rider)
      const cost = (await record(second)).booking.trip_cost
      const collect = { trip: cost, outstanding: trip + 5 * unit, total: cost + trip + 5 * unit }
      expect((await seen(second.driver, second)).collect).toEqual(collect)
      expect((await seen(second.rider, second)).collect).toEqual(collect)
      await city.bookings.commands.close(city.order(second.driver, second.id), {
        collected: 'all',
        amount: collect.total,
      })
      await settleEvents()
      expect((await record(first)).booking.status).toBe('PAID')
      expect((await record(second)).booking).toMatchObject({
        status: 'PAID',
        outstanding_collected: trip + 5 * unit,
      })
      expect(await city.balance(fee.rider)).toBe(0)
      expect(await city.balance(fee.driver)).toBe(5 * unit)
      expect(await city.balance(first.driver)).toBe((await record(first)).booking.driver_share)
      expect((await city.bookings.outstanding(fee.rider)).total).toBe(0)
    },
  )

  taxiTest('trip is not paid in cash -> driver does not see it', async () => {
    const fee = await withFee()
    await put(fee.rider, 1_000 * unit)
    await put(fee.rider, 1 * unit)
    const trip = await accepted(fee.rider, 'wallet')
    expect((await seen(trip.driver, trip)).collect?.outstanding).toBe(0)
  })

  taxiTest('wallet gets money -> pays unpaid trips except contested ones', async () => {
    const rider = await city.addRider()
    const contested = await unpaid(rider)
    await city.bookings.commands.object(city.order(rider, contested.id), { reason: 'I paid in coins' })
    const open = await unpaid(rider)
    await put(rider, 1_000 * unit)
    await city.database.withTransaction((tx) => city.outbox.write(tx, [collectFromWalletEvent(rider.id)]))
    await city.outbox.idle()
    await expect.poll(async () => (await record(open)).booking.status, { timeout: 10_000 }).toBe('PAID')
    expect((await record(contested)).booking).toMatchObject({ status: 'PENDING', objection: 'open' })
  })
})

describe('concurrency', () => {
  taxiTest('two collections -> the older trip is paid once, the surplus goes to the rider', async () => {
    const rider = await city.addRider()
    const old = await unpaid(rider)
    const trips = [await reached(rider), await reached(rider)]
    await Promise.all(
      trips.map(({ driver, id }) =>
        city.bookings.commands.close(city.order(driver, id), { collected: 'all' }),
      ),
    )
    await settleEvents()
    const cost = (await record(old)).booking.trip_cost
    expect((await record(old)).booking.status).toBe('PAID')
    expect(await city.balance(rider)).toBe(cost)
    expect(await city.accounts(old.id)).not.toHaveProperty(`trip:${old.id}`)
  })

  test('top-up and a new fee -> the driver gets it once', async () => {
    const first = await withFee()
    const next = await accepted(first.rider)
    await clock.advance(3 * 60_000)
    await Promise.all([
      put(first.rider, 7 * unit),
      city.bookings.commands.cancel(city.order(next.rider, next.id), { reason: 'again' }),
    ])
    await settleEvents()
    expect([await due(first), await due(next)]).toEqual([0, 3 * unit])
    expect([await city.balance(first.driver), await city.balance(next.driver)]).toEqual([5 * unit, 2 * unit])
    expect(await city.balance(first.rider)).toBe(-3 * unit)
  })

  test('several releases for one wallet -> what was paid is released once', async () => {
    const trip = await withFee()
    await Promise.all(Array.from({ length: 5 }, () => put(trip.rider, unit)))
    await Promise.all([settleEvents(), settleEvents(), settleEvents()])
    expect([await due(trip), await city.balance(trip.driver)]).toEqual([0, 5 * unit])
  })

  test('waiver and payment -> the driver is paid or the rider no longer owes it', async () => {
    const trip = await withFee()
    const admin = await city.addAdmin()
    const deps = { ...city, settings: { current: async () => city.settings } }
    const waived = waiveDue(deps, admin.id, { booking: trip.id, reason: 'goodwill' }, null)
    await Promise.allSettled([waived, put(trip.rider, 5 * unit).then(settleEvents)])
    await settleEvents()
    expect(await due(trip)).toBe(0)
    const [rider, driver] = [await city.balance(trip.rider), await city.balance(trip.driver)]
    expect([0, 5 * unit]).toContain(driver)
    expect(rider + driver).toBe(5 * unit)
  })

  taxiTest('withdrawal while a prepaid trip ends -> the driver waits for the uncollected part', async () => {
    const trip = await reached()
    const { pool } = city.database
    const cost = (await record(trip)).booking.trip_cost
    const inAdvance = cost - 10 * unit
    await city.wallet.appendOnce(writeOff(trip.id, inAdvance), origin())
    await pool.query(
      `update bookings set prepaid = true, payment_mode = 'card', card_payment_amount = $2 where id = $1`,
      [trip.id, inAdvance],
    )
    await put(trip.rider, 10 * unit)
    const { closing } = await city.database.withTransaction(async (tx) => {
      const id = uuidv7()
      await tx.client.query(
        `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
          values ($1, $2, 'W', $3, $4, 'x', 'x', 'x', 'UYU')`,
        [id, trip.rider.id, 10 * unit, clock.now()],
      )
      await city.wallet.append(tx, [withdrawRequested(id, trip.rider.id, 10 * unit)], origin(), [
        trip.rider.id,
      ])
      // The command has read the balance and waits for the wallet lock.
      const closing = city.bookings.commands.close(city.order(trip.driver, trip.id), {})
      await expect
        .poll(async () => {
          const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          return (await pool.query(waits)).rowCount
        })
        .toBe(1)
      return { closing }
    })
    expect((await closing).booking.status).toBe('PAID')
    await settleEvents()
    const share = (await record(trip)).booking.driver_share
    expect(await city.balance(trip.rider)).toBe(-10 * unit)
    expect([await due(trip), await city.balance(trip.driver)]).toEqual([10 * unit, share - 10 * unit])
    await put(trip.rider, 10 * unit)
    await settleEvents()
    expect([await due(trip), await city.balance(trip.driver)]).toEqual([0, share])
  })

  taxiTest('objection and write-off -> the trip is settled once', async () => {
    const trip = await unpaid()
    const admin = await city.addAdmin()
    const { commands } = city.bookings
    const answers = await Promise.allSettled([
      commands.object(city.order(trip.rider, trip.id), {}),
      commands.write_off(city.order(admin, trip.id), { reason: 'lost' }),
    ])
    expect(answers[1]?.status).toBe('fulfilled')
    expect((await record(trip)).booking.status).toBe('PAID')
    expect(['written_off', null]).toContain((await record(trip)).booking.objection)
  })
})

describe('objection to an older trip', () => {
  const objected = async () => {
    const old = await unpaid()
    const trip = await reached(old.rider)
    const cost = (await record(trip)).booking.trip_cost
    await city.bookings.commands.close(city.order(trip.driver, trip.id), { collected: 'trip', amount: cost })
    await city.bookings.commands.object(city.order(trip.rider, trip.id), {})
    return { old, trip, cost: (await record(old)).booking.trip_cost, admin: await city.addAdmin() }
  }
  const asked = async (rider: Actor) => (await city.bookings.outstanding(rider)).total

  taxiTest.each(['paid', 'write_off'] as const)(
    'decision %s -> the older trip is settled once',
    async (outcome) => {
      const { old, trip, cost, admin } = await objected()
      const rider = trip.rider
      expect(await asked(rider)).toBe(0)
      const decide = () =>
        city.bookings.commands.decide_objection(city.order(admin, trip.id), { outcome, reason: 'camera' })
      const answers = await Promise.allSettled([decide(), decide()])
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await settleEvents()
      expect([await asked(rider), await city.balance(rider)]).toEqual([0, 0])
      const { driver_share, status } = (await record(old)).booking
      expect([status, await city.balance(old.driver)]).toEqual(['PAID', driver_share])
      const { driver_share: own } = (await record(trip)).booking
      const cash = outcome === 'paid' ? 2 * cost : cost
      expect(await city.balance(trip.driver)).toBe(own - cash)
    },
  )

  taxiTest('decision not_paid -> owed again in every view, then paid from the wallet', async () => {
    const { old, trip, cost, admin } = await objected()
    const rider = trip.rider
    const owed = async () => {
      const { booking, outstanding } = await city.bookings.create(rider, city.request(), null)
      const given = await city.bookings.commands.cancel(city.order(rider, booking.id), {
        reason: 'only asking',
      })
      return [outstanding, given.outstanding, await asked(rider)]
    }
    expect(await owed()).toEqual([0, 0, 0])
    await put(rider, cost)
    const { outstanding } = await city.bookings.commands.decide_objection(city.order(admin, trip.id), {
      outcome: 'not_paid',
      reason: 'camera',
    })
    expect(outstanding).toBe(cost)
    await settleEvents()
    await expect.poll(async () => (await record(old)).booking.status, { timeout: 10_000 }).toBe('PAID')
    expect(await owed()).toEqual([0, 0, 0])
  })
})

test('ledger sums: several dues -> one row', async () => {
  const fee = await withFee()
  await put(fee.rider, 5 * unit)
  await settleEvents()
  await withFee()
  await city.database.pool.query('select fold_ledger_sums()')
  const { rows } = await city.database.pool.query(
    `select count(*)::int as n from ledger_sums where account like 'due%'`,
  )
  expect(rows).toEqual([{ n: 1 }])
})

test('waiveDue: same key twice -> same response', async () => {
  const trip = await withFee()
  const admin = await city.addAdmin()
  const deps = { ...city, settings: { current: async () => city.settings } }
  const waive = () => waiveDue(deps, admin.id, { booking: trip.id, reason: 'goodwill' }, 'one key')
  const both = await Promise.all([waive(), waive()])
  expect([...both, await waive()].map(({ amount }) => amount)).toEqual([5 * unit, 5 * unit, 5 * unit])
  expect(await city.balance(trip.rider)).toBe(0)
})

test('no-show: no stored positions at the pickup -> not_at_pickup; with positions -> cancelled, fee is due', async () => {
  const trip = await accepted()
  const { commands } = city.bookings
  await commands.arrive(city.order(trip.driver, trip.id))
  await clock.advance(5 * 60_000)
  const noShow = () => commands.cancel(city.order(trip.driver, trip.id), { reason: 'rider_no_show' })
  await expect(noShow()).rejects.toMatchObject({ key: 'not_at_pickup' })
  for (let minute = 0; minute < 5; minute++) {
    await clock.advance(60_000)
    await city.tracking.report(trip.driver, [{ ...pickup, at: clock.now() }])
  }
  expect((await noShow()).booking).toMatchObject({ status: 'CANCELLED', cancelledBy: 'driver' })
  expect(await city.balance(trip.driver)).toBe(0)
})

test('arrive, start: late time although the server heard from the driver -> server time', async () => {
  const trip = await accepted()
  const { commands } = city.bookings
  const from = clock.now()
  for (let turn = 0; turn < 40; turn++) {
    await clock.advance(10_000)
    await city.tracking.report(trip.driver, [{ ...pickup, at: clock.now() }])
  }
  const arrived = await commands.arrive(city.order(trip.driver, trip.id), { at: from })
  expect(arrived.booking).toMatchObject({ driver_arrive_time: clock.now(), arrival_received_at: clock.now() })
  await clock.advance(15_000)
  const { booking } = await commands.start(city.order(trip.driver, trip.id), { at: from })
  expect(booking.trip_start_time).toBe(clock.now())
})

test('offers: driver over the debt limit -> not counted for cash', async () => {
  const own = await createTestCity({ jobs: false })
  own.changeSettings({ driverDebtLimit: 10 * unit })
  await own.addDriver(pickup, { wallet_balance: -11 * unit })
  const { drop } = own.request()
  expect((await own.bookings.offers(pickup, drop)).offers[0]).toMatchObject({ nearby: 0, pickupS: null })
  expect((await own.bookings.offers(pickup, drop, { payment_mode: 'card' })).offers[0]).toMatchObject({
    nearby: 1,
  })
  await own.close()
})

test('offers: cars of two types where our own streets end -> one request for those cars only', async () => {
  const own = await createTestCity({ jobs: false })
  const { maps } = own.waveDeps
  const { drop } = own.request()
  const car_type_id = uuidv7()
  await own.database.pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
       convenience_fee_type, created_at) values ($1, 'Van', 0, 1, 0, 0, 0, 'flat', 0)`,
    [car_type_id],
  )
  const beyond = { lat: pickup.lat, lng: pickup.lng + 0.01 }
  await own.addDriver(pickup)
  await own.addDriver(beyond)
  const van = await own.addDriver(beyond, { car_type_id })
  const located = await own.driverIndex.get(van.id)
  if (located) own.driverIndex.upsert({ ...located, car_type_id })
  const table = maps.driveTimeTable
  vi.spyOn(maps, 'driveTimeTable').mockImplementation(async (froms, tos) =>
    (await table(froms, tos)).map((row, index) => (froms[index]?.lng === beyond.lng ? [null] : row)),
  )
  const requested = vi.spyOn(maps, 'driveTimes')
  const { offers } = await own.bookings.offers(pickup, drop)
  expect(offers.map(({ nearby }) => nearby).sort()).toEqual([1, 2])
  expect(offers.find(({ nearby }) => nearby === 2)?.pickupS).toBe(0)
  expect(offers.find(({ nearby }) => nearby === 1)?.pickupS).toBeCloseTo((0.912 / 30) * 3600, -1)
  expect(requested.mock.calls.map(([froms]) => froms)).toEqual([[beyond, beyond]])
  await own.close()
})
