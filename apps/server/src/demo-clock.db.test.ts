import { expect, test } from 'vitest'
import { demoClock } from './demo-clock.ts'
import { createTestDatabase } from './platform/database/test-database.ts'

test('demoClock: demo was ahead when it stopped -> resumes at the last position of its cars', async () => {
  const database = await createTestDatabase()
  try {
    const before = Date.now()
    expect((await demoClock(database, 1)).now()).toBeGreaterThanOrEqual(before)
    const ahead = before + 86_400_000
    await database.pool.query(
      `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id, lat, lng, located_at)
       values ('01900000-0000-7000-8000-000000000001', $1, 'A', 'Driver', 'a@x.test', 'driver', true, 'a1234', 0, 0, $2)`,
      [before, ahead],
    )
    expect((await demoClock(database, 1)).now()).toBeGreaterThanOrEqual(ahead)
  } finally {
    await database.close()
  }
})
