import type { ListChange } from '@hansom/contract/live'
import type { Actor } from '@hansom/domain/access/relation'
import { assignedAnswerMs } from '@hansom/domain/dispatch/timing'
import { Refusal } from '@hansom/domain/error-keys'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ManualClock } from '../../platform/clock/manual-clock.ts'
import { rounds } from '../../test-rounds.ts'
import { createTestCity, type TestCity } from './booking-city.fixture.ts'
import { askNextWave } from './dispatch/wave.ts'
import type { BookingWithRequests } from './store/read-bookings.ts'

let city: TestCity
let admin: Actor
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  admin = await city.addAdmin()
})
beforeEach(() => {
  city.settings.autoDispatch = true
})
afterAll(() => city.close())

const reason = 'car broke down'

/** The resulting status of each attempt, or the key of its refusal. */
async function outcomes(attempts: Promise<BookingWithRequests>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value.booking.status
    if (one.reason instanceof Refusal) return one.reason.key
    throw one.reason
  })
}

async function requested(drivers: readonly Actor[]): Promise<{ rider: Actor; id: string }> {
  const rider = await city.addRider()
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, drivers)
  return { rider, id: booking.id }
}

async function accepted(driver: Actor): Promise<{ rider: Actor; id: string }> {
  const trip = await requested([driver])
  await city.bookings.commands.accept(city.order(driver, trip.id))
  return trip
}

const row = async (id: string) =>
  (await city.database.pool.query('select * from bookings where id = $1', [id])).rows[0]
const queueOf = async (driver: Actor) =>
  (await city.database.pool.query('select queue from users where id = $1', [driver.id])).rows[0].queue
const asked = async (id: string) =>
  (
    await city.database.pool.query<{ driver_id: string; expires_at: number | null }>(
      'select driver_id, expires_at from booking_requests where booking_id = $1',
      [id],
    )
  ).rows
/** Ends the trip, so that the next round starts with free drivers. */
async function end(id: string, drivers: readonly Actor[]) {
  await city.database.pool.query(
    `update bookings set status = 'CANCELLED', cancelled_by = 'system' where id = $1`,
    [id],
  )
  await city.database.pool.query('update users set queue = false where id = any($1)', [
    drivers.map((driver) => driver.id),
  ])
}

describe('assign_driver, withdraw_driver', () => {
  test('accepted trip given to another -> first driver free and told why, second asked and accepts', async () => {
    city.settings.autoDispatch = false
    const [first, second] = [await city.addDriver(), await city.addDriver()]
    const { rider, id } = await accepted(first)
    const { assign_driver, accept, arrive } = city.bookings.commands
    await expect(assign_driver(city.order(admin, id), { driver: second.id })).rejects.toMatchObject({
      key: 'reason_needed',
    })
    const given = await assign_driver(city.order(admin, id), { driver: second.id, reason })
    expect(given.booking).toMatchObject({
      status: 'NEW',
      driver: null,
      accepted_at: null,
      promised_arrival: null,
    })
    expect(await asked(id)).toEqual([{ driver_id: second.id, expires_at: null }])
    expect([await queueOf(first), await queueOf(second)]).toEqual([false, false])
    await expect(arrive(city.order(first, id))).rejects.toMatchObject({ key: 'trip_withdrawn' })
    await expect(city.bookings.get(first, id)).rejects.toMatchObject({ key: 'not_found' })
    await city.outbox.idle()
    const changes = city.published.filter(({ channel }) => channel === `bookings|${first.id}`)
    expect(changes.at(-1)?.data).toEqual({ remove: id } satisfies ListChange)
    const told = await city.database.pool.query(
      `select title, params->>'reason' as reason from user_notifications where user_id = $1 and booking_id = $2
        order by at desc, id desc limit 1`,
      [first.id, id],
    )
    expect(told.rows).toEqual([{ title: 'notify.trip_withdrawn.title', reason }])
    const events = await city.bookings.events(admin, id)
    expect(events.at(-1)).toMatchObject({ command: 'assign_driver', from: 'ACCEPTED', to: 'NEW', reason })
    expect(events.at(-1)?.sent.map(({ title }) => title)).toContain('notify.driver_withdrawn.title')

    const { booking } = await accept(city.order(second, id))
    expect(booking).toMatchObject({ status: 'ACCEPTED', driver: second.id, excluded_drivers: [first.id] })
    await city.bookings.commands.cancel(city.order(rider, id), { reason: 'x' })
    expect(await city.balance(rider)).toBe(0)
  })

  test('automatic dispatch -> asked alone for a minute; passed -> the waves ask the others', async () => {
    const clock = city.clock as ManualClock
    const [chosen, near] = [await city.addDriver(), await city.addDriver()]
    const { id } = await requested([near])
    await city.bookings.commands.assign_driver(city.order(admin, id), { driver: chosen.id })
    expect(await asked(id)).toEqual([{ driver_id: chosen.id, expires_at: clock.now() + assignedAnswerMs }])
    const deps = { ...city.waveDeps, startedAt: clock.now(), startedElapsed: clock.elapsed() }
    expect(await askNextWave(deps, id, 0)).toEqual({ kind: 'early', at: clock.now() + assignedAnswerMs })
    await clock.advance(assignedAnswerMs)
    for (const { id: driver } of [chosen, near]) {
      const known = await city.driverIndex.get(driver)
      if (known) city.driverIndex.upsert({ ...known, at: clock.now(), heardAt: clock.elapsed() })
    }
    expect(await askNextWave(deps, id, 0)).toEqual({ kind: 'asked' })
    const late = (await asked(id)).filter(({ expires_at }) => (expires_at ?? 0) > clock.now())
    expect(late.map(({ driver_id }) => driver_id)).toContain(near.id)
    expect(late.map(({ driver_id }) => driver_id)).not.toContain(chosen.id)
    await end(id, [chosen, near])
  })

  test('driver near the end of a trip -> has the next one as a request, accepts it once the trip has ended', async () => {
    city.settings.autoDispatch = false
    const driver = await city.addDriver()
    const current = await accepted(driver)
    const { arrive, start, reach, close, accept, assign_driver } = city.bookings.commands
    const next = await requested([])
    const assign = () => assign_driver(city.order(admin, next.id), { driver: driver.id })
    await arrive(city.order(driver, current.id))
    await expect(assign()).rejects.toMatchObject({ key: 'already_busy' })
    await start(city.order(driver, current.id))
    // Two admins at once ask the driver once.
    expect(await outcomes([assign(), assign()])).toEqual(['NEW', 'NEW'])
    expect(await asked(next.id)).toEqual([{ driver_id: driver.id, expires_at: null }])
    await city.outbox.idle()
    const told = await city.database.pool.query(
      'select title from user_notifications where user_id = $1 and booking_id = $2',
      [driver.id, next.id],
    )
    expect(told.rows).toEqual([{ title: 'notify.next_trip.title' }])
    await expect(accept(city.order(driver, next.id))).rejects.toMatchObject({ key: 'already_busy' })
    await reach(city.order(driver, current.id))
    // At the same moment: the trip ends, and the driver accepts the next one.
    const [ended, taken] = await outcomes([
      close(city.order(driver, current.id)),
      accept(city.order(driver, next.id)),
    ])
    expect(ended).toMatch(/PAID|PENDING/)
    expect(taken).toMatch(/ACCEPTED|already_busy/)
    if (taken === 'already_busy') await accept(city.order(driver, next.id))
    expect(await row(next.id)).toMatchObject({ status: 'ACCEPTED', driver: driver.id })
    await end(next.id, [driver])
  })

  test('withdrawn from a trip -> the waves skip that driver; open requests -> withdrawn', async () => {
    const [first, second] = [await city.addDriver(), await city.addDriver()]
    const { id } = await accepted(first)
    const { withdraw_driver } = city.bookings.commands
    await withdraw_driver(city.order(admin, id), { reason })
    const clock = city.clock as ManualClock
    const deps = { ...city.waveDeps, startedAt: clock.now(), startedElapsed: clock.elapsed() }
    expect(await askNextWave(deps, id, 0)).toEqual({ kind: 'asked' })
    const ids = (await asked(id)).map(({ driver_id }) => driver_id)
    expect(ids).toContain(second.id)
    expect(ids).not.toContain(first.id)
    await withdraw_driver(city.order(admin, id), { reason })
    expect(await asked(id)).toEqual([])
    await city.outbox.idle()
    const removed = city.published.filter(({ channel }) => channel === `requests|${second.id}`)
    expect(removed.at(-1)?.data).toEqual({ remove: id, why: 'withdrawn' })
    await expect(withdraw_driver(city.order(admin, id), { reason })).rejects.toMatchObject({
      key: 'wrong_status',
    })
    await end(id, [first, second])
  })
})

describe('races', { timeout: 120_000 }, () => {
  test('assign while another driver accepts -> that driver has the trip, or it was given away', async () => {
    city.settings.autoDispatch = false
    const [quick, chosen] = [await city.addDriver(), await city.addDriver()]
    const { accept, assign_driver } = city.bookings.commands
    for (let round = 0; round < rounds(25, 40); round++) {
      const { id } = await requested([quick])
      const got = await outcomes([
        accept(city.order(quick, id)),
        assign_driver(city.order(admin, id), { driver: chosen.id }),
      ])
      expect(['ACCEPTED,reason_needed', 'not_requested,NEW']).toContain(got.join())
      const isTaken = got[0] === 'ACCEPTED'
      expect(await row(id)).toMatchObject({ driver: isTaken ? quick.id : null })
      expect(await asked(id)).toHaveLength(isTaken ? 0 : 1)
      expect(await queueOf(quick)).toBe(isTaken)
      await end(id, [quick, chosen])
    }
  })

  test('assign while the rider cancels -> cancelled, no request left', async () => {
    const driver = await city.addDriver()
    const { cancel, assign_driver } = city.bookings.commands
    for (let round = 0; round < rounds(25, 40); round++) {
      const { rider, id } = await requested([])
      const got = await outcomes([
        cancel(city.order(rider, id), { reason: 'x' }),
        assign_driver(city.order(admin, id), { driver: driver.id }),
      ])
      expect(['CANCELLED,NEW', 'CANCELLED,wrong_status']).toContain(got.join())
      expect([(await row(id)).status, await asked(id)]).toEqual(['CANCELLED', []])
    }
  })

  test('assign while a wave asks or gives up -> only the assigned driver is asked', async () => {
    const clock = city.clock as ManualClock
    const [chosen, near] = [await city.addDriver(), await city.addDriver()]
    const deps = { ...city.waveDeps, startedAt: clock.now(), startedElapsed: clock.elapsed() }
    for (let round = 0; round < rounds(25, 30); round++) {
      const { id } = await requested([])
      if (round % 2) {
        // No driver is left for the wave.
        await city.database.pool.query(
          `update bookings set excluded_drivers = (select jsonb_agg(id) from users where usertype = 'driver') where id = $1`,
          [id],
        )
      }
      const [, assigned] = await Promise.allSettled([
        askNextWave(deps, id, 0),
        city.bookings.commands.assign_driver(city.order(admin, id), { driver: chosen.id }),
      ])
      const { status } = await row(id)
      const active = (await asked(id)).map(({ driver_id }) => driver_id)
      // The wave may give up first; then the assignment is refused.
      if (status === 'CANCELLED') expect([assigned.status, active]).toEqual(['rejected', []])
      else expect([assigned.status, active]).toEqual(['fulfilled', [chosen.id]])
      await end(id, [chosen, near])
    }
  })

  test('withdraw while the driver starts -> one of them, never both', async () => {
    const driver = await city.addDriver()
    const { arrive, start, withdraw_driver } = city.bookings.commands
    const seen = new Set<string>()
    for (let round = 0; round < rounds(25, 40); round++) {
      const { id } = await accepted(driver)
      await arrive(city.order(driver, id))
      const got = await outcomes([
        start(city.order(driver, id)),
        withdraw_driver(city.order(admin, id), { reason }),
      ])
      seen.add(got.join())
      expect(['STARTED,wrong_status', 'trip_withdrawn,NEW']).toContain(got.join())
      const isStarted = got[0] === 'STARTED'
      expect(await row(id)).toMatchObject({ status: isStarted ? 'STARTED' : 'NEW' })
      expect(await queueOf(driver)).toBe(isStarted)
      await end(id, [driver])
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('withdraw_driver: a driver accepts before it -> conflict, the driver keeps the trip', async () => {
    const driver = await city.addDriver()
    const { id } = await requested([driver])
    const { version } = await row(id)
    const { accept, withdraw_driver } = city.bookings.commands
    await accept(city.order(driver, id))
    await expect(withdraw_driver(city.order(admin, id), { reason, version })).rejects.toMatchObject({
      key: 'conflict',
    })
    expect(await row(id)).toMatchObject({ status: 'ACCEPTED', driver: driver.id })
    await end(id, [driver])
  })

  test('two admins assign at once -> one request; the same key twice -> one change', async () => {
    city.settings.autoDispatch = false
    const drivers = [await city.addDriver(), await city.addDriver()] as const
    const { assign_driver, withdraw_driver } = city.bookings.commands
    for (let round = 0; round < rounds(25, 40); round++) {
      const { id } = await requested([])
      const got = await outcomes(
        drivers.map(({ id: driver }) => assign_driver(city.order(admin, id), { driver })),
      )
      expect(got).toEqual(['NEW', 'NEW'])
      expect(await asked(id)).toHaveLength(1)
      await end(id, drivers)
    }
    const { id } = await accepted(drivers[0])
    const key = uuidv7()
    await Promise.all([1, 2, 3].map(() => withdraw_driver(city.order(admin, id, key), { reason })))
    expect(await row(id)).toMatchObject({ status: 'NEW', version: 3, excluded_drivers: [drivers[0].id] })
    await end(id, drivers)
  })
})
