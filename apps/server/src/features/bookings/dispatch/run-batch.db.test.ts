import type { Actor } from '@hansom/domain/access/relation'
import { batchDrivers } from '@hansom/domain/dispatch/batch'
import { Refusal } from '@hansom/domain/error-keys'
import { expect, test, vi } from 'vitest'
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
import { runBatch } from './run-batch.ts'
import { askNextWave, type WaveDeps } from './wave.ts'

inDispatchCity()

test('the nearest of a batch are asked for other trips -> a farther one is asked', async () => {
  choose({ strategy: 'batch' })
  const near: Actor[] = []
  for (let number = 0; number < 2 * batchDrivers; number++) near.push(await city.addDriver(away(0.1)))
  const farther = await city.addDriver(away(1))
  const [{ id }, other] = [await place(), await place()]
  await requestAll(other.id, near)
  await runBatch(deps)
  expect(await asked(id)).toEqual([farther.id])
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
  expect((await reasons(got.id))[0]).toEqual(['none', { [driver.id]: 'declined' }])
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
  const { next } = await runBatch(deps, { most: 1 })
  expect(next).toBe(Math.ceil((clock.now() + 1) / 5_000) * 5_000)
  expect([(await asked(first.id)).length, (await asked(second.id)).length]).toEqual([1, 0])
  await runBatch(deps, { most: 1 })
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
  const failing: WaveDeps = {
    ...deps,
    log: { error },
    store: {
      ...store,
      facts: async (...given) => {
        if (given[0] === fails.id) throw new Refusal('conflict')
        return store.facts(...given)
      },
    },
  }
  const failures = new Map()
  const { next } = await runBatch(failing, { failures })
  expect(next).toBe(Math.ceil((clock.now() + 1) / 5_000) * 5_000)
  expect(error).toHaveBeenCalledTimes(1)
  expect(await asked(good.id)).toHaveLength(1)
  expect((await reasons(good.id)).map(([kind]) => kind)).toEqual(['ask'])
  // The second time, its driver is left to others for two batches.
  await runBatch(failing, { failures })
  expect(error).toHaveBeenCalledTimes(2)
  await clock.advance(9_999)
  expect((await runBatch(deps, { failures })).next).not.toBeNull()
  expect(await asked(fails.id)).toHaveLength(0)
  await clock.advance(1)
  await runBatch(deps, { failures })
  expect(await asked(fails.id)).toHaveLength(1)
})

test('bookings of another strategy come first -> they do not fill the batch', async () => {
  choose({ strategy: 'waves' })
  for (const km of [1, 2, 3, 4]) await city.addDriver(away(km))
  const first = [await place(), await place()]
  city.rules.push(rule({ strategy: 'batch', area: { ...pickup, ...away(1), add: 'Here' }, area_radius: 0.2 }))
  await clock.advance(1_000)
  const { id } = await place({ ...pickup, ...away(1) })
  const { next, others } = await runBatch(deps, { most: 1 })
  expect([next, others.map(({ booking }) => booking)]).toEqual([
    expect.any(Number),
    first.map((one) => one.id),
  ])
  expect(await asked(id)).toHaveLength(1)
})

test('a booking leaves between two readings, so that one is missed -> the next batch asks for it', async () => {
  choose({ strategy: 'waves' })
  for (const km of [1, 2]) await city.addDriver(away(km))
  const [leaves] = [await place(), await place()]
  city.rules.push(rule({ strategy: 'batch', area: { ...pickup, ...away(1), add: 'Here' }, area_radius: 0.2 }))
  await clock.advance(1_000)
  const missed = await place({ ...pickup, ...away(1) })
  await clock.advance(1_000)
  const last = await place({ ...pickup, ...away(1) })
  const { dispatchFacts } = deps
  const waiting: typeof dispatchFacts.waiting = async (now, lead, most, offset) => {
    if (offset > 0) await city.bookings.commands.cancel(city.order(leaves.rider, leaves.id), { reason: 'x' })
    return dispatchFacts.waiting(now, lead, most, offset)
  }
  const { next } = await runBatch({ ...deps, dispatchFacts: { ...dispatchFacts, waiting } }, { most: 2 })
  expect([(await asked(missed.id)).length, (await asked(last.id)).length]).toEqual([0, 1])
  expect(next).toBe(Math.ceil((clock.now() + 1) / 5_000) * 5_000)
  await runBatch(deps, { most: 2 })
  expect(await asked(missed.id)).toHaveLength(1)
})

test('other servers cannot be heard -> one reading for all riders of a batch', async () => {
  choose({ strategy: 'batch' })
  const driver = await city.addDriver(away(1))
  const placed = [await place(), await place(), await place()]
  city.driverIndex.remove(driver.id)
  const readAround = vi.fn(async () => true)
  await runBatch({ ...deps, drivers: { isCurrent: () => false, readAround } })
  expect(readAround.mock.calls).toEqual([[placed.map(() => expect.objectContaining(pickup)), 10]])
})

test('reasons cannot be recorded -> the drivers are asked, and the batch goes on', async () => {
  choose({ strategy: 'batch' })
  await city.addDriver(away(1))
  const { id } = await place()
  const error = vi.fn()
  const record = () => Promise.reject(new Error('no space'))
  const broken = { ...deps, log: { error }, dispatchFacts: { ...deps.dispatchFacts, record } }
  expect(await runBatch(broken)).toEqual({ next: null, others: [] })
  expect(await asked(id)).toHaveLength(1)
  expect(error).toHaveBeenCalledTimes(1)
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
