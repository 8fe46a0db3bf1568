import { expect, it } from 'vitest'
import { countries, dialPrefix, splitPhone } from './countries.ts'

it('names every country once, with a prefix that numbers can begin with', () => {
  expect(countries).toHaveLength(245)
  expect(new Set(countries.map(({ code }) => code)).size).toBe(245)
  for (const { code, phone, label } of countries) {
    expect(code).toMatch(/^[A-Z]{2}$/)
    expect(phone).toMatch(/^[1-9]\d{0,2}$/)
    expect(label.trim()).not.toBe('')
  }
})

it('knows dial prefixes', () => {
  expect([dialPrefix('UY'), dialPrefix('US'), dialPrefix('EG'), dialPrefix('XX')]).toEqual([
    '598',
    '1',
    '20',
    '',
  ])
})

it('takes a number apart', () => {
  expect(splitPhone('+59899123456')).toEqual({ country: 'UY', mobile: '99123456' })
  expect(splitPhone('+14165550100', 'CA')).toEqual({ country: 'CA', mobile: '4165550100' })
  expect(splitPhone('+59899123456', 'CA')).toEqual({ country: 'UY', mobile: '99123456' })
  expect(splitPhone('+999123')).toBeNull()
})
