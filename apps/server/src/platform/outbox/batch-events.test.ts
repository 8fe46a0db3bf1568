import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OutboxEvent } from './event.ts'
import { batchEvents } from './outbox.ts'

const events = (...given: [stream: string | null, kind: string][]): OutboxEvent[] =>
  given.map(([stream, kind], index) => ({
    id: index + 1,
    at: 0,
    stream,
    kind,
    payload: {},
    tries: 0,
    writtenAt: 0,
  }))
const ids = (slices: OutboxEvent[][]) => slices.map((slice) => slice.map(({ id }) => id))

test('slices: events of one kind with others in between -> one slice', () => {
  expect(ids(batchEvents(events(['a', 'x'], ['b', 'y'], ['c', 'x'], [null, 'y'], ['a', 'x'])))).toEqual([
    [1, 3, 5],
    [2, 4],
  ])
  expect(batchEvents([])).toEqual([])
})

test('slices: stream changes its kind -> order kept, new slice', () => {
  expect(ids(batchEvents(events(['a', 'x'], ['b', 'x'], ['a', 'y'], ['a', 'x'])))).toEqual([[1, 2], [3], [4]])
})

test('slices: any events -> each in one slice, one kind per slice, stream order kept', () => {
  const some = fc.array(fc.tuple(fc.option(fc.constantFrom('a', 'b', 'c')), fc.constantFrom('x', 'y', 'z')), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(some, (given) => {
      const all = events(...given)
      const slices = batchEvents(all)
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
