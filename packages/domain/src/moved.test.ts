import { expect, test } from 'vitest'
import { moved } from './moved.ts'

test('moved: entry and position -> the entry at that position in the new list', () => {
  const list = ['a', 'b', 'c', 'd']
  expect(moved(list, 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(list, 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moved(list, 1, 99)).toEqual(['a', 'c', 'd', 'b'])
  expect(moved(list, 1, -5)).toEqual(['b', 'a', 'c', 'd'])
  expect(moved(list, 9, 0)).toEqual(list)
  expect(list).toEqual(['a', 'b', 'c', 'd'])
})
