import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OutboxEvent } from './event.ts'
import { slicesOf } from './slices.ts'

const events = (...told: [stream: string | null, kind: string][]): OutboxEvent[] =>
  told.map(([stream, kind], index) => ({ id: index + 1, at: 0, stream, kind, payload: {}, tries: 0 }))
const ids = (slices: OutboxEvent[][]) => slices.map((slice) => slice.map(({ id }) => id))

test('events of one kind are told at once, whatever lies between them', () => {
  expect(ids(slicesOf(events(['a', 'x'], ['b', 'y'], ['c', 'x'], [null, 'y'], ['a', 'x'])))).toEqual([
    [1, 3, 5],
    [2, 4],
  ])
  expect(slicesOf([])).toEqual([])
})

test('a stream whose kind changes is told in its order', () => {
  expect(ids(slicesOf(events(['a', 'x'], ['b', 'x'], ['a', 'y'], ['a', 'x'])))).toEqual([[1, 2], [3], [4]])
})

test('every event is in one slice, slices are of one kind, and each stream keeps its order', () => {
  const some = fc.array(fc.tuple(fc.option(fc.constantFrom('a', 'b', 'c')), fc.constantFrom('x', 'y', 'z')), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(some, (told) => {
      const all = events(...told)
      const slices = slicesOf(all)
      const order = slices.flat()
      expect([...order].sort((one, other) => one.id - other.id)).toEqual(all)
      for (const slice of slices) expect(new Set(slice.map(({ kind }) => kind)).size).toBe(1)
      for (const stream of ['a', 'b', 'c']) {
        const got = order.filter((event) => event.stream === stream).map(({ id }) => id)
        expect(got).toEqual([...got].sort((one, other) => one - other))
      }
    }),
  )
})
