import { afterAll, beforeAll, expect, test } from 'vitest'
import { applySql, findServerFolder } from '../../../platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../../platform/database/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const writtenColumns = async () => {
  const { rows } = await database.pool.query<{ source: string }>(
    `select prosrc as source from pg_proc where proname = 'apply_booking_decision'`,
  )
  return [...(rows[0]?.source ?? '').matchAll(/\bchanged\."?(\w+)/g)].map(([, column]) => column).sort()
}
const columns = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = 'bookings'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'version')`,
  )
  return rows.map(({ name }) => name).sort()
}

test('apply_booking_decision: a migration adds a column -> it writes all columns of the table', async () => {
  expect(await writtenColumns()).toEqual(await columns())
  const client = await database.pool.connect()
  await client.query('alter table bookings add column "new Column" text')
  await applySql(client, findServerFolder('sql'), 'next migration')
  client.release()
  const { rows } = await database.pool.query<{ source: string }>(
    `select prosrc as source from pg_proc where proname = 'apply_booking_decision'`,
  )
  expect(rows[0]?.source).toContain('changed."new Column"')
})
