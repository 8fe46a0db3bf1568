import { expect, it } from 'vitest'
import { comparePages } from './table-updates.ts'

const rows = (ids: string) => ids.split('').map((id) => ({ id }))
const idOf = ({ id }: { id: string }) => id

it.each([
  ['the same', 'abc', 'abc', null, { added: 0, removed: 0 }],
  ['in another order', 'abc', 'cab', null, { added: 0, removed: 0 }],
  ['two more', 'abc', 'xyabc', null, { added: 2, removed: 0 }],
  ['one removed', 'abc', 'ac', null, { added: 0, removed: 1 }],
  ['one replaced', 'abc', 'xab', null, { added: 1, removed: 1 }],
  ['pushed beyond the first page', 'abcd', 'xab', 'more', { added: 1, removed: 0 }],
  ['first row', '', 'a', null, { added: 1, removed: 0 }],
])('%s: shown %s, now %s -> differences', (_name, shown, fresh, next, expected) => {
  expect(comparePages(rows(shown), { items: rows(fresh), next }, idOf)).toEqual(expected)
})
