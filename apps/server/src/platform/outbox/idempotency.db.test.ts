import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { bodyHash, withIdempotency } from './idempotency.ts'
import { forgetOldAnswers, keptForMs } from './tidy-idempotency.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

let runs = 0
const run = (key: string, body: unknown, work = async () => ({ run: ++runs })) =>
  database.withTransaction((tx) => withIdempotency(tx, { user: 'u', command: 'c', key, body, now: 1 }, work))

test('many at the same moment have one effect and one answer', async () => {
  const before = runs
  const answers = await Promise.all(Array.from({ length: 8 }, () => run('same-key', { a: 1 })))
  expect(runs).toBe(before + 1)
  expect(new Set(answers.map((answer) => answer.run)).size).toBe(1)
})

test('another body under the same key is refused', async () => {
  const key = randomUUID()
  await run(key, { a: 1, b: [2] })
  await expect(run(key, { b: [2], a: 1 })).resolves.toBeDefined()
  await expect(run(key, { a: 2, b: [2] })).rejects.toMatchObject({ key: 'idempotency_mismatch' })
})

test('work that fails leaves the key free', async () => {
  const key = randomUUID()
  const failing = run(key, {}, async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await expect(run(key, {})).resolves.toMatchObject({ run: expect.any(Number) })
})

test('an answer is forgotten after its time', async () => {
  const key = randomUUID()
  const first = await run(key, {})
  await forgetOldAnswers(database, keptForMs)
  await expect(run(key, {})).resolves.toEqual(first)
  await forgetOldAnswers(database, keptForMs + 2)
  await expect(run(key, {})).resolves.not.toEqual(first)
})

test('a body is the same whatever the order of its fields, and fields that are absent do not count', () => {
  expect(bodyHash({ a: 1, b: { c: 2, d: undefined } })).toBe(bodyHash({ b: { c: 2 }, a: 1 }))
  expect(bodyHash({ a: 1 })).not.toBe(bodyHash({ a: '1' }))
  expect(bodyHash([1, 2])).not.toBe(bodyHash([2, 1]))
})
