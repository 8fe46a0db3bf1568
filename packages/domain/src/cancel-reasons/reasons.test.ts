import { expect, test } from 'vitest'
import { driverReasons, isCancelReason, moved, reasonProblem } from './reasons.ts'

test('cancel reason: empty or too long -> refused', () => {
  expect(['Too late', ' ', 'x'.repeat(121), ` ${'x'.repeat(120)} `].map(reasonProblem)).toEqual([
    null,
    'required',
    'too_long',
    null,
  ])
})

test('moved: entry and position -> the entry at that position in the new list', () => {
  const list = ['a', 'b', 'c', 'd']
  expect(moved(list, 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(list, 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moved(list, 1, 99)).toEqual(['a', 'c', 'd', 'b'])
  expect(moved(list, 1, -5)).toEqual(['b', 'a', 'c', 'd'])
  expect(moved(list, 9, 0)).toEqual(list)
  expect(list).toEqual(['a', 'b', 'c', 'd'])
})

test('cancel reason: from the list -> accepted, other text -> refused except from admins', () => {
  const listed = ['The wait is too long', 'My plans changed']
  for (const actor of ['rider', 'driver', 'admin'] as const) {
    expect(isCancelReason('my plans CHANGED', actor, listed)).toBe(true)
    expect(isCancelReason('because', actor, listed)).toBe(actor === 'admin')
  }
})

test('cancel reason: one of the driver -> accepted from drivers only', () => {
  for (const reason of ['rider_no_show', ...driverReasons]) {
    expect(isCancelReason(reason, 'driver', ['a'])).toBe(true)
    expect(isCancelReason(reason, 'rider', ['a'])).toBe(false)
  }
})

test('cancel reason: empty list -> any text', () => {
  expect(isCancelReason('because', 'rider', [])).toBe(true)
})
