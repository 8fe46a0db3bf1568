import type { ClientBase } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { silentLog } from '../log/log.ts'
import type { NewEvent } from './event.ts'
import { claimEvents, createOutbox, type Outbox } from './outbox.ts'

let database: TestDatabase
const open: Outbox[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((outbox) => outbox.stop()))
  await database.pool.query('delete from outbox')
})
afterAll(() => database.close())

function outboxOf(pollMs = 60_000, retryMs = 5): Outbox {
  const outbox = createOutbox({ database, log: silentLog(), pollMs, retryMs })
  open.push(outbox)
  return outbox
}

const commit = (outbox: Outbox, events: NewEvent[]) =>
  database.withTransaction((tx) => outbox.write(tx, events))
const left = async () => (await database.pool.query('select count(*) as n from outbox')).rows[0].n

test('write: committed -> delivered; rolled back -> not delivered', async () => {
  const outbox = outboxOf()
  const delivered: unknown[] = []
  outbox.on('changed', (event) => void delivered.push(event.payload))
  outbox.start()
  await commit(outbox, [{ kind: 'changed', payload: { n: 1 } }])
  await database
    .withTransaction(async (tx) => {
      await outbox.write(tx, [{ kind: 'changed', payload: { n: 2 } }])
      throw new Error('no')
    })
    .catch(() => {})
  await outbox.idle()
  expect(delivered).toEqual([{ n: 1 }])
  expect(await left()).toBe(0)
})

test('handler throws -> event retried, its stream waits, other streams continue', async () => {
  const outbox = outboxOf(10, 300)
  const delivered: string[] = []
  let failures = 2
  outbox.on('changed', (event) => {
    if (event.payload.n === 'a1' && failures-- > 0) throw new Error('not now')
    delivered.push(String(event.payload.n))
  })
  outbox.start()
  await commit(
    outbox,
    ['a1', 'a2', 'b1', 'b2'].map((n) => ({ kind: 'changed', stream: n[0], payload: { n } })),
  )
  await expect.poll(() => delivered.length, { timeout: 15_000 }).toBe(4)
  expect(delivered.filter((n) => n.startsWith('b'))).toEqual(['b1', 'b2'])
  expect(delivered.filter((n) => n.startsWith('a'))).toEqual(['a1', 'a2'])
  expect(delivered.indexOf('b2')).toBeLessThan(delivered.indexOf('a1'))
})

const failures: [name: string, fail: (client: ClientBase) => Promise<unknown>][] = [
  [
    'database has too little memory for an event',
    (client) =>
      client.query(`do $$ begin raise exception using errcode = '53200', message = 'no memory'; end $$`),
  ],
  [
    'handler loses its connection to another service',
    async () => {
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    },
  ],
]
test.each(failures)('%s -> that event waits, other streams continue', async (_, fail) => {
  const outbox = outboxOf()
  const delivered: string[] = []
  outbox.on('changed', async (event, { client }) => {
    if (event.stream === 'a') await fail(client)
    delivered.push(String(event.stream))
  })
  await commit(
    outbox,
    ['a', 'b'].map((stream) => ({ kind: 'changed', stream, payload: {} })),
  )
  outbox.start()
  await outbox.idle()
  expect(delivered).toEqual(['b'])
  expect((await database.pool.query('select stream from outbox where tries > 0')).rows).toEqual([
    { stream: 'a' },
  ])
})

test('claiming process dies -> next process delivers the event', async () => {
  const writer = outboxOf()
  await commit(writer, [{ kind: 'changed', payload: { n: 1 } }])
  const dying = await database.pool.connect()
  await dying.query('begin')
  expect(await claimEvents(dying, 10)).toHaveLength(1)

  const delivered: unknown[] = []
  const next = outboxOf(10)
  next.on('changed', (event) => void delivered.push(event.payload))
  next.start()
  await next.idle()
  expect(delivered).toEqual([])
  dying.release(new Error('killed'))
  await expect.poll(() => delivered, { timeout: 15_000 }).toEqual([{ n: 1 }])
})

test('later handler throws -> writes of the earlier one take effect once', async () => {
  await database.pool.query('create table effects (n int)')
  const outbox = outboxOf(10)
  let failures = 2
  outbox.on('changed', async (event, tx) => {
    await tx.client.query('insert into effects values ($1)', [event.payload.n])
  })
  outbox.on('changed', () => {
    if (failures-- > 0) throw new Error('not now')
  })
  outbox.start()
  await commit(
    outbox,
    [1, 2, 3].map((n) => ({ kind: 'changed', stream: 's', payload: { n } })),
  )
  await expect
    .poll(async () => (await database.pool.query('select n from effects order by n')).rows, {
      timeout: 15_000,
    })
    .toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

describe('onMany', () => {
  test('several due events -> delivered together, each stream in order', async () => {
    const outbox = outboxOf()
    const delivered: number[][] = []
    outbox.onBatch('changed', (events) => void delivered.push(events.map(({ payload }) => Number(payload.n))))
    for (const n of [1, 2, 3, 4, 5]) {
      await commit(outbox, [{ kind: n === 3 ? 'other' : 'changed', stream: `s${n % 2}`, payload: { n } }])
    }
    outbox.start()
    await outbox.idle()
    // The third event has another kind; the next one of its stream is delivered after it.
    expect(delivered).toEqual([[1, 2, 4], [5]])
    expect(await left()).toBe(0)
  })

  test('one event fails -> the others are delivered, their writes take effect once', async () => {
    await database.pool.query('create table counted (n int)')
    const outbox = outboxOf(10, 100)
    const alone: number[] = []
    let failures = 3
    outbox.onBatch('changed', async (events, tx) => {
      for (const { payload } of events) await tx.client.query('insert into counted values ($1)', [payload.n])
      if (events.some(({ payload }) => payload.n === 2) && failures-- > 0) throw new Error('not now')
      if (events.length === 1) alone.push(Number(events[0]?.payload.n))
    })
    await commit(
      outbox,
      [1, 2, 3, 4].map((n) => ({ kind: 'changed', stream: n === 3 ? 's2' : `s${n}`, payload: { n } })),
    )
    outbox.start()
    const counted = async () =>
      (await database.pool.query('select n from counted order by n')).rows.map(({ n }) => n)
    await expect.poll(counted, { timeout: 15_000 }).toEqual([1, 2, 3, 4])
    expect(alone.indexOf(3)).toBeGreaterThan(alone.indexOf(2))
    expect(alone.indexOf(4)).toBeLessThan(alone.indexOf(2))
    expect(await left()).toBe(0)
  })
})

describe('two processes', () => {
  test('concurrent -> every event delivered once, each stream in order', async () => {
    const delivered: { by: number; stream: string | null; n: number }[] = []
    for (const by of [1, 2]) {
      const outbox = outboxOf(5)
      outbox.on('changed', async (event) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2))
        delivered.push({ by, stream: event.stream, n: Number(event.payload.n) })
      })
      outbox.start()
    }
    const writer = open[0] as Outbox
    for (let n = 0; n < 20; n++) {
      await commit(
        writer,
        Array.from({ length: 20 }, (_, stream) => ({
          kind: 'changed',
          stream: `s${stream}`,
          payload: { n },
        })),
      )
      open[n % 2]?.wake()
    }
    await expect.poll(() => delivered.length, { timeout: 15_000 }).toBe(400)
    for (let stream = 0; stream < 20; stream++) {
      const order = delivered.filter((one) => one.stream === `s${stream}`).map((one) => one.n)
      expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n))
    }
  })
})
