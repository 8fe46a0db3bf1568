import { expect, test } from 'vitest'
import { typedFee } from './typed-fee.ts'

test.each([
  ['', 0],
  ['0', 0],
  ['0.00', 0],
  ['15', 150_000],
  ['15.50', 155_000],
  ['-15', null],
  ['none', null],
])('a fee: %j', (text, fee) => {
  expect(typedFee(text, { timezone: 'UTC', decimal: 2 })).toBe(fee)
})
