import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectDatabase, type Database } from './platform/database/database.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { silentLog } from './platform/log/log.ts'
import { warnOfSecondServer } from './second-server.ts'

let first: TestDatabase
let second: Database

beforeAll(async () => {
  first = await createTestDatabase()
  await first.pool.query('select 1')
  const connection = { connectionString: first.url }
  second = connectDatabase({ connection, description: 'the same', exclusive: false }, silentLog())
})
afterAll(async () => {
  await second.close()
  await first.close()
})

test('a second server on a database says so, one that has it to itself does not', async () => {
  const warn = vi.fn()
  await warnOfSecondServer({ pool: second.pool, exclusive: true }, { warn })
  expect(warn).not.toHaveBeenCalled()
  await warnOfSecondServer(second, { warn })
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('another server'))
})
