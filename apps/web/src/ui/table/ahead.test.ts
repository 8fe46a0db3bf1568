import { expect, it } from 'vitest'
import { aheadOf } from './ahead.ts'

const rows = (ids: string) => ids.split('').map((id) => ({ id }))
const idOf = ({ id }: { id: string }) => id

it.each([
  ['the same', 'abc', 'abc', null, { came: 0, left: 0 }],
  ['in another order', 'abc', 'cab', null, { came: 0, left: 0 }],
  ['two more', 'abc', 'xyabc', null, { came: 2, left: 0 }],
  ['one gone', 'abc', 'ac', null, { came: 0, left: 1 }],
  ['one for another', 'abc', 'xab', null, { came: 1, left: 1 }],
  ['pushed behind the end of the beginning', 'abcd', 'xab', 'more', { came: 1, left: 0 }],
  ['the first of all', '', 'a', null, { came: 1, left: 0 }],
])('%s: %s, now %s', (_name, shown, fresh, next, expected) => {
  expect(aheadOf(rows(shown), { items: rows(fresh), next }, idOf)).toEqual(expected)
})
