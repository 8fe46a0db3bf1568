import { expect, test } from 'vitest'
import errorTexts from '../languages/packs/en/error.json'
import passwordTexts from '../languages/packs/en/password.json'
import { defaultSettings } from '../settings/settings.ts'
import { changeableContacts, isE164, isEmail, isLoginCode, toE164 } from '../users/contact.ts'
import { slowDownMs } from './attempts.ts'
import {
  bankDetails,
  checkDriverFields,
  checkSignUp,
  isApprovedAtOnce,
  passwordError,
  type SignUpInput,
} from './sign-up.ts'

const good: SignUpInput = {
  firstName: 'Ana',
  lastName: 'Sosa',
  email: 'ana@x.test',
  password: 'abc123',
  mobile: '+59899123456',
  usertype: 'rider',
}

test.each([
  ['abc12', 'password_alphaNumeric_check'],
  ['abc123', null],
  ['@*#@*#', null],
  ['a'.repeat(30), null],
  ['a'.repeat(31), 'password_alphaNumeric_check'],
  ['with space1', 'password_alphaNumeric_check'],
  ['with-dash1', 'password_alphaNumeric_check'],
  ['with.dot1', 'password_alphaNumeric_check'],
  ['áccent1', 'password_alphaNumeric_check'],
  ['exclam!1', 'password_alphaNumeric_check'],
  ['пароль12', 'password_alphaNumeric_check'],
  ['abc123\n', 'password_alphaNumeric_check'],
  ['', 'password_alphaNumeric_check'],
])('alphanumeric password: %j', (password, error) => {
  expect(passwordError(password)).toBe(error)
})

test.each([
  ['the hint', passwordTexts.rules],
  ['the error', errorTexts.password_alphaNumeric_check],
])('alphanumeric password: %s -> the reason', (_, text) => {
  for (const refused of ['spaces', 'dashes', 'dots', 'accents', 'other characters'])
    expect(text).toContain(refused)
})

test.each([
  ['any', '', 'password_blank_messege'],
  ['any', ' ', null],
  ['complex', 'Abcdef1!', null],
  ['complex', 'Abcde1!', 'password_complexity_check'],
  ['complex', 'abcdef1!', 'password_complexity_check'],
  ['complex', 'ABCDEF1!', 'password_complexity_check'],
  ['complex', 'Abcdefg!', 'password_complexity_check'],
  ['complex', 'Abcdefg1', 'password_complexity_check'],
  ['complex', 'Abcde 1!', 'password_complexity_check'],
  ['complex', `Abcdef1!${'x'.repeat(22)}`, null],
  ['complex', `Abcdef1!${'x'.repeat(23)}`, 'password_complexity_check'],
] as const)('password mode %s: %j', (mode, password, error) => {
  expect(passwordError(password, mode)).toBe(error)
})

test.each(['a@b.co', 'first.last+tag@sub.domain.org', 'x_1@a-b.test'])('email: %s -> valid', (text) => {
  expect(isEmail(text)).toBe(true)
})
test.each([
  '',
  'a',
  'a@b',
  '@b.co',
  'a@@b.co',
  'a b@c.de',
  'a@b.c1',
  'a@-b.co',
  'a@b..co',
  `${'a'.repeat(250)}@b.co`,
])('email: %j -> invalid', (text) => expect(isEmail(text)).toBe(false))

test('phone number: dial prefix and digits -> at least six digits, in E.164', () => {
  expect(toE164('598', '99123456')).toBe('+59899123456')
  expect(toE164('1', '123456')).toBe('+1123456')
  for (const digits of ['12345', '+99123456', '99 12', '', 'abcdef', '99123456x', '1'.repeat(13)]) {
    expect(toE164('598', digits), digits).toBeNull()
  }
  for (const code of ['', '0', '+598', '5 8', 'x']) expect(toE164(code, '99123456'), code).toBeNull()
  expect(isE164('+59899123456')).toBe(true)
  expect(isE164('59899123456')).toBe(false)
})

test.each([
  ['99 123 456', '+59899123456'],
  ['99-12.34/56', '+59899123456'],
  ['\u2066(99) 123\u2011456\u2069', '+59899123456'],
  ['+598 99 123 456', '+59899123456'],
  ['+54 9 11 2345-6789', '+5491123456789'],
  ['00598 99 123 456', '+59899123456'],
])('phone number: %j with the prefix of Uruguay -> %s', (typed, whole) => {
  expect(toE164('598', typed)).toBe(whole)
})

test('sign-in code: six digits -> valid from 100001 to 999999', () => {
  expect(['100001', '999999', '500000'].every(isLoginCode)).toBe(true)
  for (const text of ['100000', '099999', '12345', '1234567', 'abcdef', ' 123456', '']) {
    expect(isLoginCode(text), text).toBe(false)
  }
})

test.each([
  [{ firstName: ' ', email: 'bad' }, 'proper_input_name'],
  [{ lastName: '\t' }, 'proper_input_name'],
  [{ email: 'bad', password: '' }, 'proper_email'],
  [{ password: 'short', mobile: null }, 'password_alphaNumeric_check'],
  [{ mobile: null }, 'mobile_no_blank_error'],
  [{ mobile: '099123456' }, 'mobile_no_blank_error'],
])('sign-up: %j -> the first problem of the form', (change, key) => {
  expect(() => checkSignUp({ ...good, ...change })).toThrow(key)
})

test('sign-up: valid -> passes; a driver needs a vehicle', () => {
  expect(() => checkSignUp(good)).not.toThrow()
  expect(() => checkDriverFields({ carType: 'Comfort', vehicleMake: 'A', vehicleModel: 'B' })).toThrow(
    expect.objectContaining({
      key: 'invalid_input',
      fields: [
        { field: 'vehicleNumber', error: 'required' },
        { field: 'licenseImage', error: 'required' },
      ],
    }),
  )
})

test('sign-up: driver -> waits for approval only when that is on', () => {
  expect(isApprovedAtOnce('rider', { ...defaultSettings, driver_approval: true })).toBe(true)
  expect(isApprovedAtOnce('driver', { ...defaultSettings, driver_approval: true })).toBe(false)
  expect(isApprovedAtOnce('driver', { ...defaultSettings, driver_approval: false })).toBe(true)
})

test.each([
  [true, true, 'Bank'],
  [true, false, null],
  [false, true, null],
])('bank details: bank_fields %s, RiderWithDraw %s -> %s', (bank_fields, RiderWithDraw, bankName) => {
  const given = { ...good, bankName: ' Bank ', bankCode: ' ' }
  expect(bankDetails(given, { ...defaultSettings, bank_fields, RiderWithDraw })).toEqual({
    bankName,
    bankCode: null,
    bankAccount: null,
  })
})

test('contacts: signed up by email -> both fixed, a missing phone can be added', () => {
  expect(changeableContacts({ loginType: 'email', mobile: '+1234567' })).toEqual({
    email: false,
    mobile: false,
  })
  expect(changeableContacts({ loginType: 'email', mobile: null })).toEqual({ email: false, mobile: true })
  expect(changeableContacts({ loginType: 'apple', mobile: '+1234567' })).toEqual({
    email: true,
    mobile: true,
  })
})

test('slowDownMs: failures from everywhere -> slower, up to two seconds', () => {
  expect([0, 10, 11, 12, 15, 1_000_000].map(slowDownMs)).toEqual([0, 0, 200, 400, 2_000, 2_000])
})
