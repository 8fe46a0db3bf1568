import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { createCarTypesService } from '../car-types/service.ts'
import { bookQueuedRows } from './book-import-rows.ts'
import { createDeliveryClearing } from './clear-deliveries.ts'
import { nextQueued } from './import-store.ts'
import { createImportsService, type ImportsService } from './imports.ts'
import { createLabelsService } from './labels.ts'

let city: TestCity
let imports: ImportsService
let jobs: ReturnType<typeof createJobs>
/** The test map finds "Place 3" 3 km from the center, and nothing else. */
const search = async (text: string) => {
  const km = Number(/^Place (\d+)$/.exec(text)?.[1] ?? Number.NaN)
  if (Number.isNaN(km)) return []
  return [{ id: text, label: text, detail: '', kind: 'address' as const, lat: -34.9 + km / 111, lng: -56.17 }]
}
beforeAll(async () => {
  city = await createTestCity()
  city.changeSettings({ category: 'delivery' })
  jobs = createJobs(city.database, city.clock, silentLog())
  imports = createImportsService({
    ...city,
    jobs,
    settings: { current: async () => ({ ...city.settings, version: 1 }) as never },
    places: { search, place: async () => null },
    carTypes: createCarTypesService({ database: city.database }),
  })
  await jobs.start()
  await city.addDriver()
})
afterAll(async () => {
  await jobs.stop()
  await city.close()
})

const header = 'pickup,drop,person,phone,vehicle,reference'
const csv = (rows: readonly string[]) => [header, ...rows].join('\n')
const row = (km: number, person = 'Ada', reference = '') =>
  `Place 0,Place ${km},${person},099 111 222,,${reference}`
const sender = (money = 100_000): Promise<Actor> => city.addRider({ wallet_balance: money * unit })

async function checked({ id: uid }: Actor, text: string) {
  const { id } = await imports.start(uid, { name: 'a.csv', text })
  await expect
    .poll(async () => (await imports.show(uid, { id })).counts.new ?? 0, { timeout: 20_000 })
    .toBe(0)
  return imports.show(uid, { id })
}
const settled = (uid: string, id: string) =>
  expect.poll(async () => (await imports.show(uid, { id })).counts.queued ?? 0, { timeout: 20_000 }).toBe(0)
async function bookings({ id }: Actor): Promise<number> {
  const { rows } = await city.database.pool.query('select count(*) as n from bookings where customer = $1', [
    id,
  ])
  return rows[0].n
}

test('dry run: good and bad rows -> fares, places and errors by row and column; nothing is booked', async () => {
  const rider = await sender()
  const file = await checked(
    rider,
    csv([
      row(3),
      'Place 0,Nowhere,,12,Boat,',
      'Place 0,Place 0,Ada,099 111 222,,',
      'Place 0,Place 900,Ada,099 111 222,,',
    ]),
  )
  expect(file.counts).toEqual({ good: 1, bad: 3 })
  const [good, ...bad] = file.items
  expect(good).toMatchObject({ n: 2, state: 'good', plan: { drop: { add: 'Place 3' } } })
  expect(file.due).toBe(good?.fare)
  expect(file.balance).toBe(100_000 * unit)
  expect(
    bad.map(({ n, problems }) => [n, problems.map(({ column, error }) => `${column} ${error}`)]),
  ).toEqual([
    [
      3,
      ['person required', 'phone deliveryDetailMissing', 'vehicle not_in_list', 'drop place_to_coords_error'],
    ],
    [4, ['drop same_place']],
    [5, ['drop outside_region']],
  ])
  expect(await bookings(rider)).toBe(0)
})

test('book: the same file and its commit in parallel -> each good row is booked once', async () => {
  const rider = await sender()
  const text = csv([row(1), row(2), row(2), row(3, '=cmd')])
  const files = await Promise.all([1, 2, 3].map(() => imports.start(rider.id, { name: 'a.csv', text })))
  expect(new Set(files.map(({ id }) => id)).size).toBe(1)
  const { id } = await checked(rider, text)
  await Promise.all([1, 2, 3].map(() => imports.book(rider.id, id)))
  await Promise.all([1, 2].map(() => bookQueuedRows(city, rider.id, Number.POSITIVE_INFINITY)))
  await settled(rider.id, id)
  const { counts, items } = await imports.show(rider.id, { id })
  expect(counts).toEqual({ booked: 4 })
  expect(new Set(items.map(({ booking }) => booking)).size).toBe(4)
  expect(await bookings(rider)).toBe(4)
  const last = await city.bookings.read(items[3]?.booking ?? '')
  expect(last?.delivery?.stops[1]).toMatchObject({ person: '=cmd', place: { add: 'Place 3' } })
})

test('book: a row of an earlier file -> duplicate; a new one is booked', async () => {
  const rider = await sender()
  const first = await checked(rider, csv([row(1)]))
  await imports.book(rider.id, first.id)
  await settled(rider.id, first.id)
  const second = await checked(rider, csv([row(1), row(2)]))
  await imports.book(rider.id, second.id)
  await settled(rider.id, second.id)
  expect((await imports.show(rider.id, { id: second.id })).counts).toEqual({ duplicate: 1, booked: 1 })
  expect(await bookings(rider)).toBe(2)
})

test('job: killed after the booking and before the row is stored -> booked once', async () => {
  const rider = await sender()
  const { id } = await checked(rider, csv([row(1)]))
  await city.database.pool.query(
    `update delivery_import_rows set state = 'queued' where import_id = $1 and state = 'good'`,
    [id],
  )
  const queued = await nextQueued(city.database.pool, rider.id)
  expect(queued?.n).toBe(2)
  const dying = {
    create: async (...args: Parameters<typeof city.bookings.create>) => {
      await city.bookings.create(...args)
      throw new Error('killed')
    },
  }
  await expect(
    bookQueuedRows({ database: city.database, bookings: dying }, rider.id, Number.POSITIVE_INFINITY),
  ).rejects.toThrow('killed')
  expect(await bookings(rider)).toBe(1)
  await bookQueuedRows(city, rider.id, Number.POSITIVE_INFINITY)
  expect((await imports.show(rider.id, { id })).counts).toEqual({ booked: 1 })
  expect(await bookings(rider)).toBe(1)
})

test('retention: ended delivery of a file -> its recipient is in no row any more, rows of others stay', async () => {
  const rider = await sender()
  const { id } = await checked(rider, csv([row(4, 'Zelda Quill'), row(5, 'Yves Quill')]))
  await imports.book(rider.id, id)
  await settled(rider.id, id)
  const [gone] = (await imports.show(rider.id, { id })).items
  const booking = gone?.booking ?? ''
  const texts = ['Zelda', '111 222', 'Place 4']
  await expect
    .poll(async () => (await city.bookings.read(booking))?.booking.status, { timeout: 20_000 })
    .toBe('NEW')
  expect(await city.leftovers(booking, texts)).not.toEqual([])
  await city.bookings.commands.cancel(city.order(rider, booking), { reason: 'changed my mind' })
  await city.outbox.idle()
  const storage = { removeBooking: async () => {} }
  const clearing = createDeliveryClearing({ database: city.database, storage, clock: city.clock })
  await clearing.clearEnded(Math.max(city.clock.now(), Date.now()) + 1, 100)
  expect(await city.leftovers(booking, texts)).toEqual([])
  expect((await imports.show(rider.id, { id })).items[1]?.data.person).toBe('Yves Quill')
})

test('queue: no money or no room -> waits with the reason, then is booked', async () => {
  const rider = await sender(0)
  const { id } = await checked(rider, csv([row(1), row(2)]))
  await imports.book(rider.id, id)
  const reasons = async () =>
    (await imports.show(rider.id, { id, state: 'queued' })).items.map(({ reason }) => reason)
  await expect.poll(reasons).toEqual(['low_wallet', 'low_wallet'])
  await city.database.pool.query('update users set wallet_balance = $2 where id = $1', [
    rider.id,
    1_000 * unit,
  ])
  city.changeSettings({ maxOpenDeliveries: 1 })
  await bookQueuedRows(city, rider.id, Number.POSITIVE_INFINITY)
  expect(await reasons()).toEqual(['too_many_bookings'])
  city.changeSettings({ maxOpenDeliveries: 500 })
  await bookQueuedRows(city, rider.id, Number.POSITIVE_INFINITY)
  expect((await imports.show(rider.id, { id })).counts).toEqual({ booked: 2 })
})

test('stop: rows in the queue -> removed; another sender -> not_found', async () => {
  const rider = await sender(0)
  const { id } = await checked(rider, csv([row(1)]))
  await imports.book(rider.id, id)
  expect((await imports.stop(rider.id, id)).counts).toEqual({ removed: 1 })
  const stranger = await sender()
  for (const call of [imports.stop, imports.book]) {
    await expect(call(stranger.id, id)).rejects.toMatchObject({ key: 'not_found' })
  }
})

test('labels: of a file’s deliveries in its order, with the delivery that replaces one, without cancelled ones; strangers and empty parts -> not_found', async () => {
  const rider = await sender()
  const { id } = await checked(rider, csv([row(1, 'Ada'), row(2, 'Ben'), row(3, 'Cora')]))
  await imports.book(rider.id, id)
  await settled(rider.id, id)
  const ben = (await imports.show(rider.id, { id })).items[1]?.booking ?? ''
  await city.bookings.commands.cancel(city.order(rider, ben), { reason: 'x' })
  const written: unknown[] = []
  const labels = createLabelsService({
    ...city,
    languages: {
      start: async () => ({ langLocale: 'en' }),
      pack: async () => ({ keyValuePairs: {}, direction: 'ltr' }),
    } as unknown as Parameters<typeof createLabelsService>[0]['languages'],
    pdf: { write: async (document) => (written.push(document), Buffer.from('')) },
  })
  const ada = (await imports.show(rider.id, { id })).items[0]?.booking ?? ''
  const courier = await city.addDriver()
  await expect.poll(async () => (await city.bookings.read(ada))?.booking.status).toBe('NEW')
  await city.ask(ada, [courier])
  await city.bookings.commands.accept(city.order(courier, ada))
  await city.bookings.commands.cancel(city.order(courier, ada), { reason: 'car_trouble' })
  await labels.ofImport(rider, id, 1, null)
  await labels.ofImport(await city.addAdmin(), id, 1, null)
  const both = { labels: [{ person: 'Ada' }, { person: 'Cora' }] }
  expect(written).toMatchObject([both, both])
  for (const [actor, part] of [[await sender(), 1] as const, [rider, 2] as const]) {
    await expect(labels.ofImport(actor, id, part, null)).rejects.toMatchObject({ key: 'not_found' })
  }
})
