import { isE164 } from '@hansom/domain/users/contact'
import { dialPrefix } from '@hansom/domain/users/countries'
import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
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

/** A mobile number of each country, without its last four digits. */
const stems = {
  UY: '9912',
  AR: '91123',
  BR: '119612',
  ES: '61234',
  GB: '740012',
  DE: '1512345',
  FR: '61234',
  EG: '100123',
  SA: '51234',
  IN: '812345',
  US: '201555',
} as const
const country = fc.constantFrom(...(Object.keys(stems) as (keyof typeof stems)[]))
const end = fc.integer({ min: 0, max: 9_999 }).map((digits) => String(digits).padStart(4, '0'))
const separator = fc.constantFrom('', '', '', ' ', '-', '.', ' (', ') ', '/', '\u00a0', '\u2011', '\u200e')

test('parsePhone: any written form of a number -> the same E.164', () => {
  const forms = fc.record({ country, end, gaps: fc.array(separator, { minLength: 24, maxLength: 24 }) })
  fc.assert(
    fc.property(forms, ({ country, end, gaps }) => {
      const national = `${stems[country]}${end}`
      const code = dialPrefix(country)
      const stored = `+${code}${national}`
      fc.pre(parsePhoneNumberFromString(stored)?.isValid() === true)
      const separated = (text: string) =>
        Array.from(text, (digit, index) => `${index === 0 ? '' : gaps[index]}${digit}`).join('')
      // North America and Spain have no trunk zero.
      const trunk =
        country === 'US' || country === 'ES'
          ? []
          : [separated(`0${national}`), `+${code} (0)${separated(national)}`]
      for (const text of [
        stored,
        ` ${stored} `,
        `+${separated(code + national)}`,
        `00${separated(code + national)}`,
        separated(national),
        ...trunk,
      ])
        expect(parsePhone(text, country), `${text} in ${country}`).toBe(stored)
    }),
    { numRuns: 1_000 },
  )
})

test('parsePhone, phoneSearchText: any text -> never throws; a number is E.164 and parses to itself', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789+ -()./\u200f\u2212'.split('')) })
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), digits), country, (text, country) => {
      const found = parsePhone(text, country)
      expect(typeof phoneSearchText(text, country)).toBe('string')
      if (found === null) return
      expect(isE164(found)).toBe(true)
      expect(parsePhone(found, country)).toBe(found)
    }),
    { numRuns: 5_000 },
  )
})
