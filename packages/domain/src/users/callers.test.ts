import { expect, it } from 'vitest'
import { callerOf, inCallerOrder } from './callers.ts'

const proven = { name: 'account', guest: false, proven: true }
const guest = { name: 'guest', guest: true, proven: false }
const unproven = { name: 'unproven', guest: false, proven: false }

it.each([
  [[], null],
  [[unproven], null],
  [[unproven, guest], guest],
  [[guest, proven], proven],
  [[unproven, proven], proven],
])('callerOf: %j -> %j', (riders, chosen) => {
  expect(callerOf(riders)).toBe(chosen)
})

it('inCallerOrder: account that has proven the number, guest, unproven account', () => {
  expect(inCallerOrder([unproven, guest, proven])).toEqual([proven, guest, unproven])
})
