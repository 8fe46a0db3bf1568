import { expect, test } from 'vitest'
import { driverReasons, isCancelReason, reasonProblem } from './reasons.ts'

test('cancel reason: empty or too long -> refused', () => {
  expect(['Too late', ' ', 'x'.repeat(121), ` ${'x'.repeat(120)} `].map(reasonProblem)).toEqual([
    null,
    'required',
    'too_long',
    null,
  ])
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
