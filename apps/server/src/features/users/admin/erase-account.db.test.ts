import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-app.ts'
import { straightMaps } from '../../bookings/straight-city.fixture.ts'
import { usersTable } from '../table.ts'
import { addTrips, remainingData } from './erasure.fixture.ts'
import { anonymise, eraseAccount } from './remove-user.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
})
afterAll(() => app.close())

let counter = 0
async function people() {
  counter += 1
  const driver = await app.addUser({ email: `d${counter}@x.test`, usertype: 'driver', firstName: 'Dora' })
  const rider = await app.addUser({ email: `r${counter}@x.test`, usertype: 'rider', firstName: 'Rita' })
  return { driver, rider }
}

/** The immediate part of a deletion. */
const leave = (id: string) =>
  app.database.withTransaction(async (tx) => {
    const [user] = await tx.db.select().from(usersTable).where(eq(usersTable.id, id)).for('update')
    if (user === undefined) throw new Error('unknown user id')
    await anonymise(tx, user, 1)
  })

const erasedAt = async (id: string) =>
  (await app.database.pool.query('select erased_at from users where id = $1', [id])).rows[0]?.erased_at

const nothing = {
  bookings: 0,
  told: 0,
  own: 0,
  ratings: 0,
  points: 0,
  lines: 0,
  words: 0,
  messages: 0,
  safety: 0,
  receipts: 0,
  untold: 0,
  audit: 0,
  answers: 0,
}

test("erasure: killed midway, then run twice -> nothing left, the other party's data stays", {
  timeout: 60_000,
}, async () => {
  const { driver, rider } = await people()
  await addTrips(app.database.pool, { driver, rider, count: 10_000 })
  await leave(driver)
  let batches = 0
  const erasure = { database: app.database, now: () => 5 }
  const isOver = () => {
    batches += 1
    if (batches > 10) throw new Error('killed')
    return false
  }
  await expect(eraseAccount({ ...erasure, isOver }, driver)).rejects.toThrow('killed')
  expect(await remainingData(app.database.pool, driver)).toMatchObject({ bookings: 9_200, told: 9_200 })
  expect(await erasedAt(driver)).toBeNull()

  expect(await eraseAccount(erasure, driver)).toBe(true)
  expect(await remainingData(app.database.pool, driver)).toEqual({ ...nothing, points: 10_000 })
  expect(await eraseAccount({ ...erasure, now: () => 6 }, driver)).toBe(true)
  expect(await erasedAt(driver)).toBe(5)
  expect(await remainingData(app.database.pool, rider)).toMatchObject({ bookings: 10_000, own: 10_000 })

  await leave(rider)
  expect(await eraseAccount({ ...erasure, isOver: () => true }, rider)).toBe(false)
  expect(await eraseAccount(erasure, rider)).toBe(true)
  expect(await remainingData(app.database.pool, rider)).toEqual(nothing)
})

test('erasure: job lost -> found after a restart, and completed', async () => {
  const { driver, rider } = await people()
  await addTrips(app.database.pool, { driver, rider, count: 50 })
  await leave(driver)
  await app.start()
  await expect.poll(() => erasedAt(driver), { timeout: 20_000 }).not.toBeNull()
  expect(await remainingData(app.database.pool, driver)).toMatchObject({ bookings: 0, told: 0 })
})

test('deletion: another transaction locks the trips -> accepted and hidden immediately, erased later', async () => {
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  const authorization = await app.bearer('admin@x.test')
  const { driver, rider } = await people()
  await addTrips(app.database.pool, { driver, rider, count: 20 })
  const holder = await app.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from bookings where driver = $1 for update', [driver])
    const answer = await app.server.inject({
      method: 'DELETE',
      url: `/api/v1/users/${driver}`,
      headers: { authorization },
    })
    expect(answer.statusCode).toBe(200)
    const { rows } = await app.database.pool.query(
      'select first_name, mobile, approved, erased_at from users where id = $1',
      [driver],
    )
    expect(rows).toEqual([{ first_name: 'Deleted', mobile: null, approved: false, erased_at: null }])
    expect(await remainingData(app.database.pool, driver)).toMatchObject({ bookings: 20, told: 20 })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await expect.poll(() => erasedAt(driver), { timeout: 20_000 }).not.toBeNull()
  expect(await remainingData(app.database.pool, driver)).toEqual({ ...nothing, points: 20 })
})
