import { attemptRules } from '@hansom/domain/accounts/attempts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../platform/database/test-database.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { createSecrets } from './secrets.ts'

let database: TestDatabase
let clock: ManualClock
let attempts: Attempts
beforeAll(async () => {
  database = await createTestDatabase()
  clock = manualClock()
  attempts = createAttempts(database.pool, clock, createSecrets('a key'))
})
afterAll(() => database.close())

const many = async (count: number, ...of: string[]) => {
  const results = await Promise.all(
    Array.from({ length: count }, () => attempts.isAllowed('password', ...of)),
  )
  return results.filter(Boolean).length
}
const { allowed, firstWaitMs } = attemptRules.password

test('attempts: 200 concurrent -> exactly the allowed number passes', async () => {
  expect(await many(200, 'a')).toBe(allowed)
  expect(await many(200, 'a')).toBe(0)
  expect(await many(200, 'b')).toBe(allowed)
})

test('attempts: after each wait -> one more, and the wait doubles', async () => {
  await clock.advance(firstWaitMs - 1)
  expect(await many(50, 'a')).toBe(0)
  await clock.advance(1)
  expect(await many(50, 'a')).toBe(1)
  await clock.advance(firstWaitMs)
  expect(await many(50, 'a')).toBe(0)
  await clock.advance(firstWaitMs)
  expect(await many(50, 'a')).toBe(1)
})

test('attempts: too many -> retryAfterS; a long enough wait -> counter reset', async () => {
  await expect(attempts.attempt('password', 'a')).rejects.toMatchObject({
    key: 'too_many_requests',
    data: { retryAfterS: (firstWaitMs * 4) / 1000 },
  })
  await clock.advance(attemptRules.password.memoryMs + 1)
  expect(await many(50, 'a')).toBe(allowed)
})

test('attempts: forgotten or taken back -> allowed again; purged -> deleted', async () => {
  await attempts.forget('password', 'a')
  expect(await many(50, 'a')).toBe(allowed)
  await attempts.undo('password', 'a')
  expect(await many(50, 'a')).toBe(1)
  await clock.advance(2 * 86_400_000)
  await attempts.purge()
  expect((await database.pool.query('select * from auth_attempts')).rowCount).toBe(0)
})

test('attempts: stored keys -> reveal nothing about the subject', async () => {
  await attempts.attempt('password', 'ana@x.test')
  const { rows } = await database.pool.query('select * from auth_attempts')
  expect(JSON.stringify(rows)).not.toContain('ana')
})
