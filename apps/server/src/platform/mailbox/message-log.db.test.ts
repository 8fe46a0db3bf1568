import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { createMessageLog, type NewMessage } from './message-log.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.pool.query('truncate outbox_messages')
})

const clock = { time: 1_000_000_000_000, now: () => clock.time }
const log = (most?: number) => createMessageLog({ database, clock, most })

const message = (changes: Partial<NewMessage> = {}): NewMessage => ({
  channel: 'mail',
  to: 'ana@rides.example',
  kind: 'verify_email',
  subject: 'Your address',
  text: 'Follow the link',
  params: { link: 'https://rides.example/verify?token=abc' },
  ...changes,
})

test('list: messages stored -> newest first, filtered by channel and recipient', async () => {
  await log().store(message())
  await log().store(message({ channel: 'sms', to: '+59899123456', subject: '', params: { code: '123456' } }))
  const all = await log().list()
  expect(all.map((one) => one.channel)).toEqual(['sms', 'mail'])
  expect(all[1]).toEqual({ ...message(), hasPage: false, id: expect.any(Number), at: clock.time })
  expect(await log().list({ channel: 'sms' })).toEqual([all[0]])
  expect(await log().list({ to: 'ana@rides.example' })).toEqual([all[1]])
  expect(await log().list({ before: all[0]?.id })).toEqual([all[1]])
})

test('keep: more messages than the limit -> oldest deleted', async () => {
  for (const number of [1, 2, 3, 4, 5]) await log(3).store(message({ subject: String(number) }))
  expect((await log().list()).map((one) => one.subject)).toEqual(['5', '4', '3'])
})

test('keep: messages older than three days -> deleted', async () => {
  await log().store(message({ subject: 'old' }))
  clock.time += 3 * 86_400_000
  await log().store(message({ subject: 'three days old' }))
  expect(await log().list()).toHaveLength(2)
  clock.time += 1
  await log().store(message({ subject: 'new' }))
  expect((await log().list()).map((one) => one.subject)).toEqual(['new', 'three days old'])
})

test('page: email with one -> the page, which lists leave out; unknown message -> null', async () => {
  await log().store(message({ html: '<p>Follow the link</p>' }))
  const [one] = await log().list()
  expect(one).toMatchObject({ hasPage: true })
  expect(one).not.toHaveProperty('html')
  expect(await log().page(one?.id ?? 0)).toBe('<p>Follow the link</p>')
  expect(await log().page(1e9)).toBeNull()
})
