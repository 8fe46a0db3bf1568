import { expect, it } from 'vitest'
import { nextCell, nextMatchingCell } from './grid-keys.ts'

const size = { rows: 20, columns: 5, page: 8 }
const from = { row: 10, column: 2 }
const plain = { jump: false, rightToLeft: false }

it.each([
  ['ArrowDown', 11, 2],
  ['ArrowUp', 9, 2],
  ['ArrowRight', 10, 3],
  ['ArrowLeft', 10, 1],
  ['Home', 10, 0],
  ['End', 10, 4],
  ['PageDown', 18, 2],
  ['PageUp', 2, 2],
])('%s -> row %i, column %i', (key, row, column) => {
  expect(nextCell({ ...plain, key }, from, size)).toEqual({ row, column })
})

it('horizontal arrows -> follow the reading direction', () => {
  const arabic = { ...plain, rightToLeft: true }
  expect(nextCell({ ...arabic, key: 'ArrowLeft' }, from, size)).toEqual({ row: 10, column: 3 })
  expect(nextCell({ ...arabic, key: 'ArrowRight' }, from, size)).toEqual({ row: 10, column: 1 })
})

it('Home, End and page keys -> first or last cell, never outside the grid', () => {
  const jumping = { ...plain, jump: true }
  expect(nextCell({ ...jumping, key: 'Home' }, from, size)).toEqual({ row: 0, column: 0 })
  expect(nextCell({ ...jumping, key: 'End' }, from, size)).toEqual({ row: 19, column: 4 })
  expect(nextCell({ ...plain, key: 'ArrowUp' }, { row: -1, column: 0 }, size)).toEqual({
    row: -1,
    column: 0,
  })
  expect(nextCell({ ...plain, key: 'PageDown' }, { row: 19, column: 4 }, size)).toEqual({
    row: 19,
    column: 4,
  })
  expect(nextCell({ ...plain, key: 'a' }, from, size)).toBeNull()
})

it('nextFitting -> next matching cell in reading order, in both directions', () => {
  const inSecond = ({ column }: { column: number }) => column === 1
  expect(nextMatchingCell(from, 1, size, inSecond)).toEqual({ row: 11, column: 1 })
  expect(nextMatchingCell(from, -1, size, inSecond)).toEqual({ row: 10, column: 1 })
  expect(nextMatchingCell({ row: 19, column: 3 }, 1, size, inSecond)).toBeNull()
  expect(nextMatchingCell({ row: 0, column: 0 }, -1, size, inSecond)).toBeNull()
})
