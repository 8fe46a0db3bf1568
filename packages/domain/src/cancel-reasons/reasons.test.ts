import { expect, test } from 'vitest'
import { moved, reasonProblem } from './reasons.ts'

test('a reason has words, and not too many', () => {
  expect(['Too late', ' ', 'x'.repeat(121), ` ${'x'.repeat(120)} `].map(reasonProblem)).toEqual([
    null,
    'required',
    'too_long',
    null,
  ])
})

test('an entry goes to the place it is given in the new list', () => {
  const list = ['a', 'b', 'c', 'd']
  expect(moved(list, 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(list, 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moved(list, 1, 99)).toEqual(['a', 'c', 'd', 'b'])
  expect(moved(list, 1, -5)).toEqual(['b', 'a', 'c', 'd'])
  expect(moved(list, 9, 0)).toEqual(list)
  expect(list).toEqual(['a', 'b', 'c', 'd'])
})
