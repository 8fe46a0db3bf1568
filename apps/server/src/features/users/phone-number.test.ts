import { expect, test } from 'vitest'
import { normalizePhone, parsePhone, phoneSearchText } from './phone-number.ts'

test.each([
  ['+59899123456', '+59899123456'],
  ['+598099123456', '+59899123456'],
  ['+4402079460958', '+442079460958'],
  ['+39061234567', '+39061234567'],
  ['+59859899123456', '+59899123456'],
  ['+1123456', '+1123456'],
  ['+99999999', '+99999999'],
])('storedPhone: %s -> %s', (whole, stored) => {
  expect(normalizePhone(whole)).toBe(stored)
  expect(normalizePhone(stored)).toBe(stored)
})

test.each([
  ['+598 99-12 34 56', '+59899123456'],
  ['099 123 456', '+59899123456'],
  ['99123456', '+59899123456'],
  ['+54 11 15 2345-6789', '+5491123456789'],
  ['12345', null],
  ['Ana', null],
])('readPhone: as written in Uruguay, %j -> %s', (text, stored) => {
  expect(parsePhone(text, 'UY')).toBe(stored)
})

test.each([
  ['099700001', '59899700001'],
  ['+598 99 700 001', '59899700001'],
  ['99 700', '99700'],
  ['0997', '997'],
  ['99700001', '99700001'],
  ['1234', '1234'],
  ['SBX 4471', 'SBX 4471'],
  ['12 3', '12 3'],
  ['zola c@x', 'zola c@x'],
])('searchedPhone: %j -> %j', (words, searched) => {
  expect(phoneSearchText(words, 'UY')).toBe(searched)
})
