import { expect, test } from 'vitest'
import { Counts } from './counts.ts'

let now = 0
const counts = (most: number) => new Counts(most, () => now)

test('counts: many of one key in a window -> each has its number, and the next window begins anew', () => {
  const one = counts(10)
  now = 0
  expect(one.add('a', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
  now = 400
  expect(one.add('a', 1_000)).toEqual({ count: 2, leftMs: 600 })
  expect(one.add('b', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
  now = 1_000
  expect(one.add('a', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
})

test('counts: more keys than are remembered -> the one that began first is forgotten', () => {
  const one = counts(2)
  now = 0
  for (const key of ['a', 'b', 'c']) one.add(key, 1_000)
  expect(one.size).toBe(2)
  expect(one.add('c', 1_000).count).toBe(2)
  expect(one.add('b', 1_000).count).toBe(2)
  expect(one.add('a', 1_000).count).toBe(1)
})
