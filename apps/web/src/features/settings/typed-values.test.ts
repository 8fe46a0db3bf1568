import { defaultSettings } from '@hansom/domain/settings/settings'
import { valuesOf } from '@hansom/domain/settings/values'
import { expect, it } from 'vitest'
import { editsOf, numberTyped, typedOf, valueOf } from './use-settings-form.ts'

const before = valuesOf(defaultSettings)

it.each([
  ['12', '12'],
  ['0.5', '0.5'],
  ['1,5', '1.5'],
  ['٧٫٥', '7.5'],
  ['3.', '3.'],
  ['', ''],
  ['-1', ''],
  ['1e3', ''],
  ['12a', ''],
  ['1.2.3', ''],
])('numberTyped: %j -> %j', (text, kept) => {
  expect(numberTyped(text)).toBe(kept)
})

it('typedOf and valueOf: amounts -> in currency units and back', () => {
  expect(typedOf('bonus', 125_000)).toBe('12.5')
  expect(valueOf('bonus', '12.5')).toBe(125_000)
  expect(valueOf('bonus', '0.00004')).toBe(0)
  expect([valueOf('bonus', ''), valueOf('decimal', '.')]).toEqual([null, null])
  expect(valueOf('driverRadius', '7.5')).toBe(7.5)
  expect(valueOf('appName', '12')).toBe('12')
  expect(typedOf('decimal', null)).toBe('')
})

it('editsOf: same value in other notation -> no edit', () => {
  expect(
    editsOf({ decimal: '0', appName: 'Hansom', driverRadius: '10.0', otp_secure: true }, before),
  ).toEqual({})
  expect(editsOf({ decimal: '', appName: 'Cab', otp_secure: false }, before)).toEqual({
    decimal: null,
    appName: 'Cab',
    otp_secure: false,
  })
})
