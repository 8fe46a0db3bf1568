import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../platform/database/test-database.ts'
import { TryLater } from '../../platform/jobs/worker.ts'
import { createSendOnce } from './send-once.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('once: several jobs at the same time -> one sends, the others are retried or find it sent', async () => {
  const once = createSendOnce(database)
  let sent = 0
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const first = once.once('a', async () => {
    sent += 1
    await held
  })
  await expect.poll(() => sent, { timeout: 20_000 }).toBe(1)
  const send = async () => void (sent += 1)
  await expect(once.once('a', send)).rejects.toBeInstanceOf(TryLater)
  release()
  await first
  await once.once('a', send)
  expect(sent).toBe(1)
})

test('once: sending failed -> the error, and the next job sends', async () => {
  const once = createSendOnce(database)
  await expect(once.once('b', () => Promise.reject(new Error('no connection')))).rejects.toThrow(
    'no connection',
  )
  let sent = 0
  for (let job = 0; job < 2; job++) await once.once('b', async () => void (sent += 1))
  expect(sent).toBe(1)
})

test('once: the server was killed while sending -> another job sends after the lease', async () => {
  const now = { time: 1_000_000 }
  const once = createSendOnce(database, () => now.time)
  await database.pool.query(`insert into sent_messages (occasion, taken_at) values ('c', $1)`, [now.time])
  await expect(once.once('c', async () => {})).rejects.toBeInstanceOf(TryLater)
  now.time += 60_001
  let sent = 0
  await once.once('c', async () => void (sent += 1))
  expect(sent).toBe(1)
})
