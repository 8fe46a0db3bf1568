import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { type CountedMessage, createMessageCounts } from './message-counts.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.pool.query('truncate message_counts'))

const clock = { time: Date.UTC(2026, 10, 26, 12), now: () => clock.time }
const limits = (total: number, person = 100, address = 100) => {
  const one = { total, person, address }
  return createMessageCounts({
    database,
    clock,
    authSecret: 'a secret of the test',
    limits: { mails: one, texts: one },
  })
}
const message = (changes: Partial<CountedMessage> = {}): CountedMessage => ({
  channel: 'mails',
  to: 'ana@x.test',
  person: 'ana',
  essential: false,
  parts: 1,
  ...changes,
})

test('take: many at the same time, by two servers -> never more than the limit, the rest counted as dropped', async () => {
  const [first, second] = [limits(10), limits(10)]
  const taken = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      (n % 2 === 0 ? first : second).take(message({ to: `${n}@x.test`, person: String(n), essential: true })),
    ),
  )
  expect(taken.filter(Boolean)).toHaveLength(10)
  expect((await limits(10).today())[0]).toEqual({
    day: '2026-11-26',
    channel: 'mails',
    sent: 10,
    dropped: 20,
    beyondTotal: 20,
    limit: 10,
  })
})

test('take: the last tenth -> only for messages about accounts', async () => {
  const counts = limits(10)
  for (let n = 0; n < 9; n += 1) expect(await counts.take(message())).toBe(true)
  expect(await counts.take(message())).toBe(false)
  expect(await counts.take(message({ essential: true }))).toBe(true)
  expect(await counts.take(message({ essential: true }))).toBe(false)
})

test('take: one person with two addresses, one address of two people -> limited; others and the other channel not', async () => {
  const ofPerson = limits(100, 2, 100)
  expect(await ofPerson.take(message())).toBe(true)
  expect(await ofPerson.take(message({ to: 'ana@y.test' }))).toBe(true)
  expect(await ofPerson.take(message({ to: 'ana@z.test' }))).toBe(false)
  expect(await ofPerson.take(message({ person: 'ben' }))).toBe(true)
  expect(await ofPerson.take(message({ channel: 'texts', to: '+598991' }))).toBe(true)
  const ofAddress = limits(100, 100, 3)
  expect(await ofAddress.take(message({ to: 'ANA@x.test', person: undefined }))).toBe(true)
  expect(await ofAddress.take(message({ person: undefined }))).toBe(false)
})

test('take: an address that got many other messages -> still gets its codes', async () => {
  const counts = limits(100, 100, 2)
  const toReception = message({ channel: 'texts', to: '+59899123456', person: undefined })
  for (const taken of [true, true, false]) expect(await counts.take(toReception)).toBe(taken)
  for (const taken of [true, true, false]) {
    expect(await counts.take({ ...toReception, essential: true })).toBe(taken)
  }
})

test('take: dropped -> counts nothing for the person; a new day -> from zero', async () => {
  const counts = limits(0)
  expect(await counts.take(message())).toBe(false)
  const { rows } = await database.pool.query('select key, sent, dropped from message_counts')
  expect(rows).toEqual([{ key: 'mails total', sent: 0, dropped: 1 }])
  const daily = limits(2)
  expect(await daily.take(message())).toBe(true)
  expect(await daily.take(message())).toBe(false)
  clock.time += 86_400_000
  expect(await daily.yesterday()).toMatchObject([{ dropped: 2, beyondTotal: 2 }, { dropped: 0 }])
  expect(await daily.take(message())).toBe(true)
})

test('giveBack: not sent -> may be sent again; addresses are not stored', async () => {
  const counts = limits(100, 1, 1)
  expect(await counts.take(message())).toBe(true)
  await counts.giveBack(message())
  expect(await counts.take(message())).toBe(true)
  const { rows } = await database.pool.query<{ key: string }>('select key from message_counts')
  expect(rows.map(({ key }) => key).join(' ')).not.toMatch(/ana|@/)
})

test('take: text message of several parts -> counts each, and is sent only if all are within the limit', async () => {
  const counts = limits(100, 5, 100)
  const long = message({ channel: 'texts', parts: 2 })
  for (const taken of [true, true, false]) expect(await counts.take(long)).toBe(taken)
  expect((await counts.today())[1]).toMatchObject({ sent: 4, dropped: 1, beyondTotal: 0 })
  expect(await counts.take({ ...long, parts: 1 })).toBe(true)
  await counts.giveBack(long)
  expect((await counts.today())[1]).toMatchObject({ sent: 3 })
  expect(await limits(1).take(message({ channel: 'mails', parts: 2, essential: true }))).toBe(false)
})

test('refuseWhenFull: limit used up by messages about accounts -> message_limit, counted; the other channel not', async () => {
  const counts = limits(2)
  await counts.refuseWhenFull('mails')
  for (const to of ['a@x.test', 'b@x.test']) await counts.take(message({ to, essential: true }))
  await expect(counts.refuseWhenFull('mails')).rejects.toMatchObject({ key: 'message_limit' })
  await counts.refuseWhenFull('texts')
  expect(await counts.today()).toMatchObject([{ dropped: 1 }, { dropped: 0 }])
})
