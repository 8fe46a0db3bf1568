import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { createTestCity, type TestCity } from '../booking-city.fixture.ts'
import { pickup } from '../straight-city.fixture.ts'

let city: TestCity
let clock: ManualClock
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  clock = city.clock as ManualClock
})
afterAll(() => city.close())

const writtenAt = async (id: string) =>
  (await city.database.pool.query('select located_at from users where id = $1', [id])).rows[0]?.located_at

test("positions: one driver's row is locked -> others are written and can accept, the locked one later", async () => {
  const drivers = await Promise.all([1, 2, 3].map(() => city.addDriver(pickup)))
  // The lowest ID is locked: a write in ID order would wait for it first.
  const [locked, ...others] = drivers.sort((a, b) => (a.id < b.id ? -1 : 1))
  const [other] = others
  if (!locked || !other) throw new Error('three drivers were added')
  const rider = await city.addRider()
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [other])
  await clock.advance(5_000)
  for (const driver of drivers) await city.report(driver, { ...pickup, at: clock.now() })

  const holder = await city.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from users where id = $1 for update', [locked.id])
    await city.writes.flush()
    for (const { id } of others) expect(await writtenAt(id)).toBe(clock.now())
    expect(await writtenAt(locked.id)).toBe(clock.now() - 5_000)
    await city.bookings.commands.accept(city.order(other, booking.id))
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await city.writes.flush()
  expect(await writtenAt(locked.id)).toBe(clock.now())
})

test('positions: more drivers than fit in one batch -> all are written', async () => {
  const { rows } = await city.database.pool.query<{ id: string }>(
    `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id)
      select gen_random_uuid(), 0, 'D', n::text, n || '@batch.test', 'driver', true, 'batch' || n
        from generate_series(1, 1101) n returning id`,
  )
  const now = clock.now()
  for (const { id } of rows) await city.report({ id, role: 'driver', approved: true }, { ...pickup, at: now })
  await city.writes.flush()
  const reply = await city.database.pool.query(
    `select count(*)::int as written from users where email like '%@batch.test' and located_at = $1`,
    [now],
  )
  expect(reply.rows).toEqual([{ written: 1101 }])
})
