import { expect, it } from 'vitest'
import { amountField, fieldOf, textField } from './record-field.tsx'
import { unreadable } from './table/edit-value.ts'

const rules = { timezone: 'UTC', decimal: 2 }
const record = { fee: 0 }

it.each([
  ['', 0],
  ['0', 0],
  ['0.00', 0],
  ['15', 150_000],
  ['15,50', 155_000],
  ['15.506', 155_100],
  ['-15', -150_000],
  ['none', Number.NaN],
])('amountField: %j with 0 for empty -> %i', (text, fee) => {
  expect(amountField('fee', 'fee', 0).read(text, record, rules)).toEqual({ fee })
})

it('amountField: empty without a default -> NaN, shown as empty', () => {
  const field = amountField('fee', 'fee')
  expect(field.read(' ', record, rules)).toEqual({ fee: Number.NaN })
  expect(field.start({ fee: Number.NaN }, rules)).toBe('')
  expect(field.start({ fee: 155_000 }, rules)).toBe('15.50')
})

it('textField: text -> as typed', () => {
  expect(textField('note', 'note').read(' a ', { note: '' }, rules)).toEqual({ note: ' a ' })
})

it('fieldOf: number column -> its text, its changes, or unreadable', () => {
  const field = fieldOf<{ seats: number }>({
    id: 'seats',
    header: 'seats',
    cell: ({ seats }) => seats,
    edit: {
      kind: 'number',
      value: ({ seats }) => seats,
      changes: (value) => ({ seats: Number(value) }),
    },
  })
  expect([field.start({ seats: 4 }, rules), field.start({ seats: Number.NaN }, rules)]).toEqual(['4', ''])
  expect(field.read('6', { seats: 4 }, rules)).toEqual({ seats: 6 })
  expect(field.read('six', { seats: 4 }, rules)).toBe(unreadable)
})
