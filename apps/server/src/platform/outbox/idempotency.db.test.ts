import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { bodyHash, idempotencyScope, refuseOtherBody } from './idempotency.ts'
import { forgetOldAnswers, keptForMs } from './tidy-idempotency.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('an answer is forgotten after its time', async () => {
  const scope = idempotencyScope({ user: 'u', command: 'c', key: randomUUID() })
  await database.pool.query('insert into idempotency_keys (scope, body_hash, at) values ($1, $2, 1)', [
    scope,
    'h',
  ])
  const isKept = async () =>
    (await database.pool.query('select from idempotency_keys where scope = $1', [scope])).rowCount === 1
  await forgetOldAnswers(database, keptForMs + 1)
  expect(await isKept()).toBe(true)
  await forgetOldAnswers(database, keptForMs + 2)
  expect(await isKept()).toBe(false)
})

test('the first answer is for the same body only', () => {
  const kept = { body_hash: bodyHash({ a: 1 }) }
  expect(() => refuseOtherBody(kept, bodyHash({ a: 1 }))).not.toThrow()
  expect(() => refuseOtherBody(kept, bodyHash({ a: 2 }))).toThrow('idempotency_mismatch')
  expect(() => refuseOtherBody(undefined, bodyHash({ a: 1 }))).toThrow('idempotency_mismatch')
})

test('a body is the same whatever the order of its fields, and fields that are absent do not count', () => {
  expect(bodyHash({ a: 1, b: { c: 2, d: undefined } })).toBe(bodyHash({ b: { c: 2 }, a: 1 }))
  expect(bodyHash({ a: 1 })).not.toBe(bodyHash({ a: '1' }))
  expect(bodyHash([1, 2])).not.toBe(bodyHash([2, 1]))
})
