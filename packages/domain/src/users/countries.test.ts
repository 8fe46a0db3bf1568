import { expect, it } from 'vitest'
import { countries, dialPrefix, splitPhone } from './countries.ts'

it('countries: all -> named once, with a valid prefix', () => {
  expect(countries).toHaveLength(245)
  expect(new Set(countries.map(({ code }) => code)).size).toBe(245)
  for (const { code, phone, label } of countries) {
    expect(code).toMatch(/^[A-Z]{2}$/)
    expect(phone).toMatch(/^[1-9]\d{0,2}$/)
    expect(label.trim()).not.toBe('')
  }
})

it('dialPrefix: country code -> its prefix', () => {
  expect([dialPrefix('UY'), dialPrefix('US'), dialPrefix('EG'), dialPrefix('XX')]).toEqual([
    '598',
    '1',
    '20',
    '',
  ])
})

it('splitPhone: number -> country and local part', () => {
  expect(splitPhone('+59899123456')).toEqual({ country: 'UY', mobile: '99123456' })
  expect(splitPhone('+14165550100', 'CA')).toEqual({ country: 'CA', mobile: '4165550100' })
  expect(splitPhone('+59899123456', 'CA')).toEqual({ country: 'UY', mobile: '99123456' })
  expect(splitPhone('+999123')).toBeNull()
})
