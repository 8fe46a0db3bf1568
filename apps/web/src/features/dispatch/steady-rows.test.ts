import type { DispatchBooking } from '@hansom/contract/dispatch'
import { expect, it } from 'vitest'
import { keepOrder, type QueueRow, steadyRows } from './steady-rows.ts'

const row = (id: string, part: QueueRow['part'] = 'searching'): QueueRow => ({
  part,
  booking: { id, version: 1 } as DispatchBooking,
})
const shown = (rows: readonly QueueRow[]) =>
  rows.map(({ booking, gone }) => `${booking.id}${gone ? ' gone' : ''}`)

it('steadyRows: rows leave and arrive -> the others keep their places, new ones wait', () => {
  const before = [row('a'), row('b'), row('p', 'planned')]
  const next = [row('c'), row('b', 'assigned'), row('p', 'planned')]
  expect(shown(steadyRows(before, next))).toEqual(['a gone', 'b', 'p'])
})

it('keepOrder: a new ranking -> known ids first, in the order shown', () => {
  const items = ['c', 'a', 'b'].map((id) => ({ id }))
  expect(keepOrder(['a', 'b'], items).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
