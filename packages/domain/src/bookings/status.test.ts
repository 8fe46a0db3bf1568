import { expect, it } from 'vitest'
import { hasTripUnderWay } from './status.ts'

it.each([
  ['NEW', false, true],
  ['STARTED', false, true],
  ['PAYMENT_PENDING', false, true],
  ['NEW', true, false],
  ['PENDING', false, false],
  ['PAID', false, false],
  ['CANCELLED', false, false],
] as const)('trip under way: %s, Book Later %s -> %s', (status, bookLater, underWay) => {
  expect(hasTripUnderWay([{ status, bookLater }])).toBe(underWay)
})
