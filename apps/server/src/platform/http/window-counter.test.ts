import { expect, test } from 'vitest'
import { WindowCounter } from './window-counter.ts'

let now = 0
const counts = (most: number) => new WindowCounter(most, () => now)

test('counts: repeated key in a window -> counted up; next window -> restarts at one', () => {
  const one = counts(10)
  now = 0
  expect(one.add('a', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
  now = 400
  expect(one.add('a', 1_000)).toEqual({ count: 2, leftMs: 600 })
  expect(one.add('b', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
  now = 1_000
  expect(one.add('a', 1_000)).toEqual({ count: 1, leftMs: 1_000 })
})

test('counts: more keys than the limit -> the oldest window is dropped', () => {
  const one = counts(2)
  now = 0
  for (const key of ['a', 'b', 'c']) one.add(key, 1_000)
  expect(one.size).toBe(2)
  expect(one.add('c', 1_000).count).toBe(2)
  expect(one.add('b', 1_000).count).toBe(2)
  expect(one.add('a', 1_000).count).toBe(1)
})
