import { expect, test } from 'vitest'
import { fullName } from './full-name.ts'

test.each([
  ['Ada', 'Pérez', 'Ada Pérez'],
  ['小明', '王', '王小明'],
  ['민준', '김', '김민준'],
  ['प्रियंका', 'श्रीवास्तव', 'प्रियंका श्रीवास्तव'],
  ['Grace', '王', 'Grace 王'],
  ['Ada', '', 'Ada'],
  ['', '王', '王'],
])('full name: %s, %s -> %s', (firstName, lastName, written) => {
  expect(fullName({ firstName, lastName })).toBe(written)
})
