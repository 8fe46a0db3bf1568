import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Replica } from './platform/database/replica.ts'
import { createTestDatabase } from './platform/database/test-database.ts'
import { createTestApp, type TestApp } from './test-app.ts'

let app: TestApp
let reads = 0
const admin = { id: '00000000-0000-7000-8000-000000000001', role: 'admin', approved: true } as const

beforeAll(async () => {
  const database = await createTestDatabase()
  const replica: Replica = {
    read(work) {
      reads++
      return work(database)
    },
    lagS: async () => 0,
    close: async () => {},
  }
  app = await createTestApp({ database, replica })
  await app.services.reports.fold()
})
afterAll(() => app.close())

test.each<[string, (services: TestApp['services']) => Promise<unknown>]>([
  ['dashboard', ({ reports }) => reports.dashboard(admin)],
  ['figures of drivers', ({ reports }) => reports.drivers(admin, { sort: '-period', limit: 10 })],
  ['number of drivers', ({ reports }) => reports.driversCount(admin, {})],
  ['totals of drivers', ({ reports }) => reports.driverTotals(admin, {})],
  ['operations', ({ reports }) => reports.operations(admin, { from: '2026-01-01', to: '2026-01-31' })],
  ['earnings of the platform', ({ reports }) => reports.earnings({})],
  ['earnings of a driver', ({ earnings }) => earnings.period(admin.id, {})],
  ['trips of a driver', ({ earnings }) => earnings.lines(admin.id, { limit: 10 })],
  ['export of bookings', ({ bookingsFeature: { bookings } }) => bookings.all(admin, {}).next()],
])('%s -> read from the replica', async (_name, read) => {
  reads = 0
  await read(app.services)
  expect(reads).toBe(1)
})

test('lists of bookings, which are acted on -> read from the database', async () => {
  reads = 0
  await app.services.bookingsFeature.bookings.list(admin, {})
  expect(reads).toBe(0)
})
