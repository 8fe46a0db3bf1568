import { unit } from '@hansom/domain/money/amount'
import { expect, test } from 'vitest'
import { typedAmount } from './typed-amount.ts'

const rules = { timezone: 'UTC', decimal: 2 }

test.each([
  ['50', 50 * unit],
  [' 50.25 ', 502_500],
  ['50,25', 502_500],
  ['٥٠', 50 * unit],
  ['50.256', 502_600],
  ['abc', 0],
  ['', 0],
  ['1e9', 0],
  ['-5', -5 * unit],
])('typedAmount: %j -> %i', (text, amount) => {
  expect(typedAmount(text, rules)).toBe(amount)
})
