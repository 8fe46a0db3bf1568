import { randomUUID } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import {
  assertSameBody,
  bodyHash,
  deleteOldResponses,
  idempotencyScope,
  idempotent,
  retentionMs,
} from './idempotency.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('tidy: response past its retention -> deleted', async () => {
  const scope = idempotencyScope({ user: 'u', command: 'c', key: randomUUID() })
  await database.pool.query('insert into idempotency_keys (scope, body_hash, at) values ($1, $2, 1)', [
    scope,
    'h',
  ])
  const isStored = async () =>
    (await database.pool.query('select from idempotency_keys where scope = $1', [scope])).rowCount === 1
  await deleteOldResponses(database, retentionMs + 1)
  expect(await isStored()).toBe(true)
  await deleteOldResponses(database, retentionMs + 2)
  expect(await isStored()).toBe(false)
})

test('idempotent: work is refused -> the key is free, also for a call that waited for it', async () => {
  const command = { user: 'u', command: 'c', key: randomUUID(), at: 1 }
  const id = randomUUID()
  const run = (body: string, work: () => Promise<string>) =>
    database.withTransaction((tx) => idempotent(tx, { ...command, body }, work))
  let refuse = () => {}
  const refused = new Promise<string>((_resolve, reject) => {
    refuse = () => reject(new Refusal('wrong_status'))
  })
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const first = run('one', () => {
    begun()
    return refused
  })
  await hasBegun
  const waiting = run('other', async () => id)
  refuse()
  await expect(first).rejects.toMatchObject({ key: 'wrong_status' })
  expect(await waiting).toBe(id)
  expect(await run('other', async () => randomUUID())).toBe(id)
})

test('refuseOtherBody: other body or no stored response -> idempotency_mismatch', () => {
  const stored = { body_hash: bodyHash({ a: 1 }) }
  expect(() => assertSameBody(stored, bodyHash({ a: 1 }))).not.toThrow()
  expect(() => assertSameBody(stored, bodyHash({ a: 2 }))).toThrow('idempotency_mismatch')
  expect(() => assertSameBody(undefined, bodyHash({ a: 1 }))).toThrow('idempotency_mismatch')
})

test('bodyHash: field order and undefined fields -> same hash; other values -> different', () => {
  expect(bodyHash({ a: 1, b: { c: 2, d: undefined } })).toBe(bodyHash({ b: { c: 2 }, a: 1 }))
  expect(bodyHash({ a: 1 })).not.toBe(bodyHash({ a: '1' }))
  expect(bodyHash([1, 2])).not.toBe(bodyHash([2, 1]))
})
