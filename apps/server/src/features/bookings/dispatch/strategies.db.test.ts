import type { Actor } from '@hansom/domain/access/relation'
import { batchDrivers } from '@hansom/domain/dispatch/batch'
import type { RuleFields } from '@hansom/domain/dispatch/rules'
import { Refusal } from '@hansom/domain/error-keys'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { createTestCity, type TestCity, taxiTest } from '../booking-city.fixture.ts'
import { pickup } from '../straight-city.fixture.ts'
import { runBatch } from './run-batch.ts'
import { askNextWave, type WaveDeps } from './wave.ts'

const away = (km: number) => ({ lat: pickup.lat + km / 111.2, lng: pickup.lng })

let city: TestCity
let deps: WaveDeps
let clock: ManualClock
beforeEach(async () => {
  city = await createTestCity({ jobs: false })
  clock = city.clock as ManualClock
  deps = { ...city.waveDeps, startedAt: clock.now(), startedElapsed: clock.elapsed() }
})
afterEach(() => city.close())

const choose = (changes: Partial<typeof defaultSettings.dispatch>) => {
  city.settings.dispatch = { ...defaultSettings.dispatch, ...changes }
}
const rule = (changes: Partial<RuleFields>): RuleFields => ({
  ...defaultSettings.dispatch,
  name: 'Rush',
  priority: 1,
  days: 'all',
  from_hour: 0,
  to_hour: 24,
  area: null,
  area_radius: 1,
  ...changes,
})

async function place(at = pickup): Promise<{ rider: Actor; id: string }> {
  const rider = await city.addRider()
  const { booking } = await city.bookings.create(rider, city.request({ pickup: at }), null)
  return { rider, id: booking.id }
}
const asked = async (id: string) => {
  const { rows } = await city.database.pool.query<{ driver_id: string }>(
    'select driver_id from booking_requests where booking_id = $1 order by pickup_km',
    [id],
  )
  return rows.map((row) => row.driver_id)
}
/** For each decision, the latest first: its kind, and the reason of each driver. */
const reasons = async (id: string) =>
  (await city.dispatch.decisions(id)).map(({ kind, drivers }) => [
    kind,
    Object.fromEntries(drivers.map((driver) => [driver.id, driver.reason])),
  ])

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

  test('batch -> riders who compete get the least sum of drives', async () => {
    choose({ strategy: 'batch' })
    // The nearest driver of both is x; y is near the first rider only.
    const x = await city.addDriver(away(1))
    const y = await city.addDriver(away(-1.2))
    const [one, two] = [await place(), await place({ ...pickup, ...away(2.1) })]
    expect(await askNextWave(deps, one.id, 0)).toMatchObject({ kind: 'batch' })
    expect(await runBatch(deps)).toEqual({ next: null, others: [] })
    expect([await asked(one.id), await asked(two.id)]).toEqual([[y.id], [x.id]])
    expect(await reasons(one.id)).toEqual([['ask', { [x.id]: 'other_rider', [y.id]: 'offered' }]])
  })

  test('two servers run the same batch -> each rider is asked for once', async () => {
    choose({ strategy: 'batch' })
    for (const km of [1, 2, 3]) await city.addDriver(away(km))
    const placed = [await place(), await place(), await place()]
    await Promise.all([runBatch(deps), runBatch(deps)])
    for (const { rider, id } of placed) {
      expect(await asked(id)).toHaveLength(1)
      expect((await city.bookings.get(rider, id)).booking.wave).toBe(1)
    }
  })

  test('more riders than drivers -> the others wait for the next batch, and decline -> the next driver', async () => {
    choose({ strategy: 'batch' })
    const driver = await city.addDriver(away(1))
    const [one, two] = [await place(), await place()]
    await clock.advance(1_500)
    const { next } = await runBatch(deps)
    expect(next).toBe(Math.ceil((clock.now() + 1) / 5_000) * 5_000)
    const requests = [await asked(one.id), await asked(two.id)]
    expect(requests.flat()).toEqual([driver.id])
    const [got, waits] = requests[0]?.length ? [one, two] : [two, one]
    expect(await reasons(waits.id)).toEqual([['wait', { [driver.id]: 'other_rider' }]])
    await city.bookings.commands.decline(city.order(driver, got.id))
    await runBatch(deps)
    expect(await asked(waits.id)).toEqual([driver.id])
    expect((await reasons(waits.id))[0]?.[0]).toBe('ask')
  })

  test('no driver in a batch -> no_driver_found; strategy changed meanwhile -> back to its own job', async () => {
    choose({ strategy: 'batch' })
    const driver = await city.addDriver(away(1))
    const { rider, id } = await place()
    city.driverIndex.remove(driver.id)
    choose({ strategy: 'waves' })
    expect(await runBatch(deps)).toEqual({ next: null, others: [{ booking: id, wave: 0 }] })
    choose({ strategy: 'batch' })
    await runBatch(deps)
    expect((await city.bookings.get(rider, id)).booking).toMatchObject({
      status: 'CANCELLED',
      reason: 'no_driver_found',
    })
    expect(await reasons(id)).toEqual([['none', {}]])
  })

  test('trips booked for later fill the batch -> only those that search count, and the rest gets a batch', async () => {
    choose({ strategy: 'batch' })
    for (const km of [1, 2, 3]) await city.addDriver(away(km))
    const tripdate = clock.now() + 86_400_000
    const later = city.request({ bookLater: true, tripdate })
    const { booking } = await city.bookings.create(await city.addRider(), later, null)
    await clock.advance(1_500)
    const first = await place()
    await clock.advance(1_000)
    const second = await place()
    const { next } = await runBatch(deps, 1)
    expect(next).toBe(Math.ceil((clock.now() + 1) / 5_000) * 5_000)
    expect([(await asked(first.id)).length, (await asked(second.id)).length]).toEqual([1, 0])
    await runBatch(deps, 1)
    expect(await asked(second.id)).toHaveLength(1)
    expect(await runBatch(deps)).toEqual({ next: null, others: [] })
    expect(await asked(booking.id)).toEqual([])
  })

  test('a booking fails in a batch -> the others are asked for and recorded, and it is tried again', async () => {
    choose({ strategy: 'batch' })
    for (const km of [1, 2]) await city.addDriver(away(km))
    const fails = await place()
    await clock.advance(1_500)
    const good = await place()
    const error = vi.fn()
    const { store } = deps
    const { next } = await runBatch({
      ...deps,
      log: { error },
      store: {
        ...store,
        facts: async (...given) => {
          if (given[0] === fails.id) throw new Refusal('conflict')
          return store.facts(...given)
        },
      },
    })
    expect(next).toBe(Math.ceil((clock.now() + 1) / 5_000) * 5_000)
    expect(error).toHaveBeenCalledTimes(1)
    expect(await asked(good.id)).toHaveLength(1)
    expect((await reasons(good.id)).map(([kind]) => kind)).toEqual(['ask'])
    await runBatch(deps)
    expect(await asked(fails.id)).toHaveLength(1)
  })

  test('none of the nearest drivers of a batch may take cash -> a farther one is asked', async () => {
    choose({ strategy: 'batch' })
    city.changeSettings({ negativeBalance: false })
    for (let number = 0; number < 2 * batchDrivers; number++)
      await city.addDriver(away(0.1), { wallet_balance: -10_000 })
    const able = await city.addDriver(away(1))
    const { id } = await place()
    await runBatch(deps)
    expect(await asked(id)).toEqual([able.id])
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
      ['sooner_first', 0],
      ['offered', 14_400],
    ])
  })

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
    const unknown = '00000000-0000-7000-8000-000000000000'
    await expect(city.dispatch.decisions(unknown)).rejects.toMatchObject({ key: 'not_found' })
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
