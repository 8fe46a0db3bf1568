import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-app.ts'
import { straightMaps } from '../../bookings/straight-city.fixture.ts'
import { addTrips, remainingData } from './erasure.fixture.ts'
import { eraseAccount } from './remove-user.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
})
afterAll(() => app.close())

test('erasure: 100,000 trips with a statement timeout of 15 s -> nothing left', {
  timeout: 1_200_000,
}, async () => {
  const driver = await app.addUser({ email: 'd@x.test', usertype: 'driver', firstName: 'Dora' })
  const rider = await app.addUser({ email: 'r@x.test', usertype: 'rider', firstName: 'Rita' })
  await addTrips(app.database.pool, { driver, rider, count: 100_000 })
  await app.database.pool.query(
    `update users set approved = false, deleted_at = 1 where id = any(array[$1, $2]::uuid[])`,
    [driver, rider],
  )
  for (const id of [driver, rider]) {
    const begun = performance.now()
    expect(await eraseAccount({ database: app.database, now: () => 1 }, id)).toBe(true)
    process.stdout.write(`erased 100,000 trips in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`)
  }
  expect(await remainingData(app.database.pool, driver)).toMatchObject({
    bookings: 0,
    told: 0,
    own: 0,
    audit: 0,
  })
  expect(await remainingData(app.database.pool, rider)).toMatchObject({ bookings: 0, own: 0, points: 0 })
})
