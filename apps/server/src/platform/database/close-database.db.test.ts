import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { connectDatabase } from './database.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let outer: TestDatabase
beforeAll(async () => {
  outer = await createTestDatabase()
})
afterAll(() => outer.close())

test('close: server stops right after -> no connection left, none broken', async () => {
  for (let round = 0; round < 5; round++) {
    const name = `closing-${round}`
    const written: string[] = []
    const log = createLog({
      level: 'info',
      readable: true,
      destination: { write: (line) => void written.push(line) },
    })
    let left: number | null = null
    const database = connectDatabase(
      {
        connection: { connectionString: outer.url, application_name: name, max: 20 },
        description: name,
        exclusive: false,
        stop: async () => {
          const ended = await outer.pool.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
            [name],
          )
          left = ended.rowCount
        },
      },
      log,
    )
    await Promise.all(Array.from({ length: 20 }, () => database.pool.query('select 1')))
    await outer.pool.query('select 1')
    await database.close()
    expect([left, written]).toEqual([0, []])
  }
})
