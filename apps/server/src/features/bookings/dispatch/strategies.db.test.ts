import type { Actor } from '@hansom/domain/access/relation'
import { mostConsidered } from '@hansom/domain/dispatch/strategies'
import { describe, expect, test, vi } from 'vitest'
import { createTestCity, type TestCity, taxiTest } from '../booking-city.fixture.ts'
import { pickup } from '../straight-city.fixture.ts'
import {
  asked,
  away,
  choose,
  city,
  clock,
  deps,
  inDispatchCity,
  place,
  reasons,
  requestAll,
  rule,
} from './dispatch-city.fixture.ts'
import { askNextWave } from './wave.ts'

inDispatchCity()

describe('strategies', () => {
  test('broadcast -> everyone within the radius at once', async () => {
    choose({ strategy: 'broadcast', waveSize: 1 })
    const near = [await city.addDriver(away(1)), await city.addDriver(away(9))]
    await city.addDriver(away(11))
    const { id } = await place()
    expect(await askNextWave(deps, id, 0)).toEqual({ kind: 'asked' })
    expect(await asked(id)).toEqual(near.map((driver) => driver.id))
  })

  test('nearest -> one after the other, and none who is asked for another trip', async () => {
    choose({ strategy: 'nearest' })
    const [first, second] = [await city.addDriver(away(1)), await city.addDriver(away(2))]
    const [one, two] = [await place(), await place()]
    await askNextWave(deps, one.id, 0)
    await askNextWave(deps, two.id, 0)
    expect([await asked(one.id), await asked(two.id)]).toEqual([[first.id], [second.id]])
    expect(await reasons(two.id)).toEqual([['ask', { [first.id]: 'other_request', [second.id]: 'offered' }]])
    // Both are asked for another trip: a third rider waits instead of being cancelled.
    const three = await place()
    expect(await askNextWave(deps, three.id, 0)).toEqual({ kind: 'early', at: clock.now() + 5_000 })
    expect((await city.bookings.get(three.rider, three.id)).booking.status).toBe('NEW')
  })

  test('nearest, and the nearest ten are asked for other trips -> the eleventh', async () => {
    choose({ strategy: 'nearest' })
    const drivers: Actor[] = []
    for (let number = 0; number < 11; number++) drivers.push(await city.addDriver(away(1 + number / 10)))
    const last = await place()
    const other = await place()
    await requestAll(other.id, drivers.slice(0, 10))
    expect(await askNextWave(deps, last.id, 0)).toEqual({ kind: 'asked' })
    expect(await asked(last.id)).toEqual([drivers[10]?.id])
  })

  test('rule of the hour and area -> its strategy, live, and the settings elsewhere', async () => {
    const drivers = [await city.addDriver(away(1)), await city.addDriver(away(2))]
    city.rules.push(rule({ strategy: 'nearest', area: { ...pickup, add: 'Here' }, area_radius: 0.5 }))
    const inside = await place()
    await askNextWave(deps, inside.id, 0)
    expect(await asked(inside.id)).toEqual([drivers[0]?.id])
    expect((await city.dispatch.decisions(inside.id))[0]).toMatchObject({ strategy: 'nearest', rule: 'Rush' })
    const outside = await place({ ...pickup, ...away(1.5) })
    await askNextWave(deps, outside.id, 0)
    expect(await asked(outside.id)).toHaveLength(2)
    expect((await city.dispatch.decisions(outside.id))[0]).toMatchObject({ strategy: 'waves', rule: null })
  })

  test('fairness -> a driver without a trip for long outweighs a nearer one', async () => {
    choose({ strategy: 'nearest', fairness: 1800 })
    const near = await city.addDriver(away(1))
    const before = await place()
    await askNextWave(deps, before.id, 0)
    await city.bookings.commands.accept(city.order(near, before.id))
    const idle = await city.addDriver(away(2))
    const { pool } = city.database
    await pool.query(`update bookings set status = 'COMPLETE', closed_at = $2 where id = $1`, [
      before.id,
      clock.now(),
    ])
    await pool.query('update users set queue = false where id = $1', [near.id])
    city.driverIndex.setEligible(near.id, true)
    const { id } = await place()
    await askNextWave(deps, id, 0)
    expect(await asked(id)).toEqual([idle.id])
    const [decision] = await city.dispatch.decisions(id)
    expect(decision?.drivers.map(({ reason, idleS }) => [reason, idleS])).toEqual([
      ['offered', 14_400],
      ['sooner_first', 0],
    ])
  })

  taxiTest(
    'drivers about to finish -> the nearest ten within the radius, and none who is asked elsewhere',
    async () => {
      choose({ strategy: 'nearest' })
      const drivers: Actor[] = []
      const end = async (km: number) => {
        const driver = await city.addDriver(away(km))
        const { id } = await place({ ...pickup, ...away(km) })
        await requestAll(id, [driver])
        await city.bookings.commands.accept(city.order(driver, id))
        await city.database.pool.query(
          `update bookings set status = 'REACHED', drop = drop || $2 where id = $1`,
          [id, JSON.stringify(away(km))],
        )
        drivers.push(driver)
      }
      for (let number = 0; number < 12; number++) await end(1 + number / 10)
      await end(11)
      const [near] = drivers as [Actor]
      await city.addDriver(away(2))
      const other = await place()
      await requestAll(other.id, [near])
      const find = async (changes: object) => {
        const found = await deps.dispatchFacts.soonFree({
          carTypes: [city.carType],
          minutes: 10,
          pickups: [pickup],
          radiusKm: 10,
          booking: null,
          now: clock.now(),
          ...changes,
        })
        return found.map(({ id }) => drivers.findIndex((driver) => driver.id === id))
      }
      expect(await find({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(await find({ booking: other.id })).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(await find({ pickups: [away(15)] })).toEqual([12])
    },
  )

  taxiTest('driver about to finish beside the pickup -> awaited, then asked once free', async () => {
    choose({ strategy: 'nearest', soonFreeMinutes: 10 })
    const ending = await city.addDriver(away(1))
    const first = await place({ ...pickup, ...away(1) })
    await askNextWave(deps, first.id, 0)
    await city.bookings.commands.accept(city.order(ending, first.id))
    const far = await city.addDriver(away(9))
    const second = await place()
    // Not yet on the last part of the trip.
    await city.database.pool.query(
      `update bookings set status = 'REACHED', drop = drop || $2 where id = $1`,
      [first.id, JSON.stringify(away(0.5))],
    )
    expect(await askNextWave(deps, second.id, 0)).toMatchObject({ kind: 'early' })
    // Another rider does not wait for the same driver.
    const third = await place()
    expect(await askNextWave(deps, third.id, 0)).toEqual({ kind: 'asked' })
    expect(await asked(third.id)).toEqual([far.id])
    expect(await reasons(second.id)).toEqual([
      ['wait', { [ending.id]: 'not_free_yet', [far.id]: 'sooner_first' }],
    ])
    await clock.advance(600_000)
    city.driverIndex.upsert({
      ...(await city.driverIndex.get(far.id))!,
      at: clock.now(),
      heardAt: clock.elapsed(),
    })
    expect(await askNextWave(deps, second.id, 0)).toEqual({ kind: 'asked' })
    expect(await asked(second.id)).toEqual([far.id])
  })

  taxiTest('two servers look at the same moment -> one rider awaits the driver about to finish', async () => {
    choose({ strategy: 'nearest', soonFreeMinutes: 10 })
    const { database, carType } = city
    const other = await createTestCity({ jobs: false, clock, database, carType })
    other.settings.dispatch = city.settings.dispatch
    try {
      const ending = await city.addDriver(away(1))
      const first = await place({ ...pickup, ...away(1) })
      await askNextWave(deps, first.id, 0)
      await city.bookings.commands.accept(city.order(ending, first.id))
      await database.pool.query(`update bookings set status = 'REACHED', drop = drop || $2 where id = $1`, [
        first.id,
        JSON.stringify(away(0.5)),
      ])
      const far = await city.addDriver(away(9))
      other.driverIndex.upsert({
        ...(await city.driverIndex.get(far.id))!,
        eligible: true,
        car_type_id: carType,
      })
      // Each has read who is free before the other one decides.
      let reading = 0
      let go = () => {}
      const both = new Promise<void>((resolve) => {
        go = resolve
      })
      const together = ({ waveDeps }: TestCity) => ({
        ...deps,
        ...waveDeps,
        maps: {
          ...waveDeps.maps,
          driveTimes: async (...given: Parameters<typeof waveDeps.maps.driveTimes>) => {
            if (++reading === 2) go()
            await both
            return waveDeps.maps.driveTimes(...given)
          },
        },
      })
      const riders = [await place(), await place()] as const
      const outcomes = await Promise.all([
        askNextWave(together(city), riders[0].id, 0),
        askNextWave(together(other), riders[1].id, 0),
      ])
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['asked', 'early'])
      const winner = outcomes.findIndex(({ kind }) => kind === 'early')
      expect(await asked(riders[1 - winner]!.id)).toEqual([far.id])
      const kept = await database.pool.query('select driver_id, booking_id from awaited_drivers')
      expect(kept.rows).toEqual([{ driver_id: ending.id, booking_id: riders[winner]?.id }])
      // Neither waits for ever: once that time is over, another may have the driver.
      const { keep } = other.waveDeps.dispatchFacts
      const loser = riders[1 - winner]!.id
      expect(await keep(ending.id, loser, clock.now() + 30_000, clock.now() + 9_999)).toBe(false)
      expect(await keep(ending.id, loser, clock.now() + 30_000, clock.now() + 10_000)).toBe(true)
    } finally {
      await other.close()
    }
  })
})

describe('decisions', () => {
  test('each wave -> a record with reasons and names; unknown booking -> not_found', async () => {
    choose({ waveSize: 1 })
    city.changeSettings({ negativeBalance: false })
    const [a, b] = [await city.addDriver(away(1)), await city.addDriver(away(2))]
    const owes = await city.addDriver(away(0.5), { wallet_balance: -10_000 })
    const { id } = await place()
    await askNextWave(deps, id, 0)
    await clock.advance(30_000)
    await askNextWave(deps, id, 1)
    expect(await reasons(id)).toEqual([
      ['ask', { [owes.id]: 'debt', [a.id]: 'asked_before', [b.id]: 'offered' }],
      ['ask', { [owes.id]: 'debt', [a.id]: 'offered', [b.id]: 'sooner_first' }],
    ])
    const [latest] = await city.dispatch.decisions(id)
    expect(latest?.drivers.every(({ name }) => name.trim() !== '')).toBe(true)
    expect(latest).toMatchObject({ radiusKm: 6, counts: { debt: 1, asked_before: 1, offered: 1 } })
    const unknown = '00000000-0000-7000-8000-000000000000'
    await expect(city.dispatch.decisions(unknown)).rejects.toMatchObject({ key: 'not_found' })
  })

  test('more drivers than a record names -> those who were asked first, and all are counted', async () => {
    choose({ strategy: 'broadcast' })
    city.changeSettings({ negativeBalance: false })
    for (let number = 0; number < mostConsidered; number++)
      await city.addDriver(away(0.5), { wallet_balance: -10_000 })
    const able = await city.addDriver(away(2))
    const { id } = await place()
    await askNextWave(deps, id, 0)
    const [decision] = await city.dispatch.decisions(id)
    expect(decision?.counts).toEqual({ debt: mostConsidered, offered: 1 })
    expect(decision?.drivers).toHaveLength(mostConsidered)
    expect(decision?.drivers[0]).toMatchObject({ id: able.id, reason: 'offered' })
    expect(await city.dispatch.recent(able.id)).toMatchObject([{ reason: 'offered' }])
  })

  test('reasons cannot be recorded -> a booking waits, drivers are asked, or the search ends; each logged once', async () => {
    choose({ strategy: 'nearest' })
    const error = vi.fn()
    const record = () => Promise.reject(new Error('no space'))
    const broken = { ...deps, log: { error }, dispatchFacts: { ...deps.dispatchFacts, record } }
    const driver = await city.addDriver(away(1))
    const [first, second] = [await place(), await place()]
    expect(await askNextWave(broken, first.id, 0)).toEqual({ kind: 'asked' })
    expect(await asked(first.id)).toEqual([driver.id])
    expect(await askNextWave(broken, second.id, 0)).toMatchObject({ kind: 'early' })
    await clock.advance(30_000)
    expect(await askNextWave(broken, first.id, 1)).toEqual({ kind: 'no_driver' })
    expect((await city.bookings.get(first.rider, first.id)).booking.status).toBe('CANCELLED')
    expect(error).toHaveBeenCalledTimes(3)
  })

  test('search restarted -> its decisions replace those of the former one', async () => {
    const { pool } = city.database
    choose({ waveSize: 1 })
    const driver = await city.addDriver(away(1))
    const { id } = await place()
    await askNextWave(deps, id, 0)
    const restart = async () => {
      await pool.query('delete from booking_requests where booking_id = $1', [id])
      await pool.query('update bookings set wave = 0 where id = $1', [id])
      await clock.advance(30_000)
    }
    await restart()
    const nearer = await city.addDriver(away(0.5))
    await askNextWave(deps, id, 0)
    expect(await reasons(id)).toEqual([['ask', { [nearer.id]: 'offered', [driver.id]: 'sooner_first' }]])
    const [before] = await city.dispatch.decisions(id)
    expect(before?.counts).toEqual({ offered: 1, sooner_first: 1 })
    await restart()
    const drivers = before?.drivers ?? []
    const wait = {
      booking_id: id,
      wave: 1,
      kind: 'wait' as const,
      strategy: 'nearest' as const,
      rule: null,
      radius: 10,
    }
    const record = (changes: object) =>
      deps.dispatchFacts.record([{ ...wait, at: clock.now(), drivers, counts: {}, ...changes }])
    const rounds = async () => (await city.dispatch.decisions(id)).map(({ kind, at }) => [kind, at])
    const at = clock.now()
    await record({})
    await record({ at: at + 29_999 })
    expect(await rounds()).toEqual([['wait', at]])
    await record({ at: at + 30_000 })
    expect(await rounds()).toEqual([['wait', at + 30_000]])
    // Late: the booking has been asked for meanwhile.
    await askNextWave(deps, id, 0)
    await record({ at: at + 90_000 })
    expect((await rounds()).map(([kind]) => kind)).toEqual(['ask'])
  })

  test('driver -> own recent requests, each once, without others, places or exact distances', async () => {
    choose({ waveSize: 1 })
    const [first, second] = [await city.addDriver(away(1.1)), await city.addDriver(away(2.1))]
    const { id } = await place()
    await askNextWave(deps, id, 0)
    const at = clock.now()
    await clock.advance(30_000)
    await askNextWave(deps, id, 1)
    expect(await city.dispatch.recent(first.id)).toEqual([{ at: at + 30_000, reason: 'offered', km: 1.5 }])
    expect(await city.dispatch.recent(second.id)).toEqual([{ at: at + 30_000, reason: 'offered', km: 2.5 }])
    await clock.advance(4 * 3_600_000)
    expect(await city.dispatch.recent(first.id)).toEqual([])
  })
})
