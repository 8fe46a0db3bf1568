import { getTableColumns } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../platform/database/test-database.ts'
import { bookingsTable } from '../table.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('update_booking: columns -> all of the bookings table', async () => {
  const { rows } = await database.pool.query<{ source: string }>(
    `select prosrc as source from pg_proc where proname = 'update_booking'`,
  )
  const written = [...(rows[0]?.source ?? '').matchAll(/r\."(\w+)"/g)].map((found) => found[1])
  const columns = Object.values(getTableColumns(bookingsTable)).map((column) => column.name)
  expect([...written, 'id', 'version'].sort()).toEqual([...columns].sort())
})
