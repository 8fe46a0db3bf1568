import { expect, it } from 'vitest'
import { aheadOf } from './ahead.ts'

const rows = (ids: string) => ids.split('').map((id) => ({ id }))
const idOf = ({ id }: { id: string }) => id

it.each([
  ['the same', 'abc', 'abc', null, { came: 0, left: 0 }],
  ['in another order', 'abc', 'cab', null, { came: 0, left: 0 }],
  ['two more', 'abc', 'xyabc', null, { came: 2, left: 0 }],
  ['one removed', 'abc', 'ac', null, { came: 0, left: 1 }],
  ['one replaced', 'abc', 'xab', null, { came: 1, left: 1 }],
  ['pushed beyond the first page', 'abcd', 'xab', 'more', { came: 1, left: 0 }],
  ['first row', '', 'a', null, { came: 1, left: 0 }],
])('%s: shown %s, now %s -> differences', (_name, shown, fresh, next, expected) => {
  expect(aheadOf(rows(shown), { items: rows(fresh), next }, idOf)).toEqual(expected)
})
