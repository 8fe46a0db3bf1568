import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { assertSameBody, bodyHash, deleteOldResponses, idempotencyScope, retentionMs } from './idempotency.ts'

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
