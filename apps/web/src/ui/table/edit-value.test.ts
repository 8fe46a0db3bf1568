import { expect, it } from 'vitest'
import { editText, readEdit, unreadable } from './edit-value.ts'

const rules = { timezone: 'America/Montevideo', decimal: 2 }

it.each([
  ['12.5', 125_000],
  ['12,5', 125_000],
  ['\u0661\u0662\u066b\u0665', 125_000],
  ['0.0001', 1],
  [' 7 ', 70_000],
  ['\u22127', -70_000],
])('readEdit: amount %s -> parsed', (text, amount) => {
  expect(readEdit({ kind: 'amount' }, text, rules)).toBe(amount)
})

it.each(['', 'seven', '1.2.3', '1,000.50', '--1', '123456789012'])(
  'readEdit: amount %s -> unreadable',
  (text) => {
    expect(readEdit({ kind: 'amount' }, text, rules)).toBe(unreadable)
  },
)

it("editText: amount -> city's digits, more only if significant", () => {
  expect(editText('amount', 125_000, rules)).toBe('12.50')
  expect(editText('amount', 555, rules)).toBe('0.0555')
  expect(editText('amount', 70_000, { ...rules, decimal: 0 })).toBe('7')
})

it("date -> day in the city's time zone", () => {
  const midnight = Date.parse('2026-11-21T03:00:00Z')
  expect(readEdit({ kind: 'date' }, '2026-11-21', rules)).toBe(midnight)
  expect(editText('date', midnight, rules)).toBe('2026-11-21')
  expect(readEdit({ kind: 'date' }, '2026-02-30', rules)).toBe(unreadable)
  expect(readEdit({ kind: 'date', nullable: true }, '', rules)).toBeNull()
})

it('emptied text -> kept, or null if nullable', () => {
  expect(readEdit({ kind: 'text' }, '  ', rules)).toBe('')
  expect(readEdit({ kind: 'text', nullable: true }, '  ', rules)).toBeNull()
  expect(readEdit({ kind: 'flag' }, 'true', rules)).toBe(true)
})
