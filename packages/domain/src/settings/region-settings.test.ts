import { expect, it } from 'vitest'
import { regionSettings } from './region-settings.ts'
import { defaultSettings } from './settings.ts'

it.each([
  ['UY', 'America/Montevideo', 'UYU', 'es', { symbol: '$', decimal: 0, swipe_symbol: false }],
  ['LI', 'Europe/Vaduz', 'CHF', 'de', { symbol: 'CHF\u00a0', decimal: 2, swipe_symbol: false }],
  ['AD', 'Europe/Andorra', 'EUR', 'ca', { symbol: '€', decimal: 2, swipe_symbol: true }],
  ['GB', 'Europe/London', 'GBP', 'en', { symbol: '£', decimal: 2, convert_to_mile: true }],
  ['JP', 'Asia/Tokyo', 'JPY', 'ja', { decimal: 0, swipe_symbol: false, convert_to_mile: false }],
  ['KW', 'Asia/Kuwait', 'KWD', 'ar', { decimal: 3, country: 'KW', restrictCountry: 'KW' }],
])(
  'regionSettings: %s -> its time zone, currency and writing',
  (countryCode, timezone, currency, language, expected) => {
    const settings = regionSettings({ countryCode, timezone, currency, languages: [language] })
    expect(settings).toMatchObject({ ...expected, code: currency, timezone })
    expect(settings.symbol).toMatch(/^[^\s\u200e\u200f]{1,5}\u00a0?$/u)
  },
)

it('regionSettings: regions of several countries side by side -> search is not limited to one', () => {
  const facts = { countryCode: 'AD', timezone: 'Europe/Andorra', currency: 'EUR', languages: ['ca'] }
  const limit = (otherCountries: string[]) => regionSettings({ ...facts, otherCountries }).restrictCountry
  expect(limit([])).toBe('AD')
  expect(limit(['AD', 'AD'])).toBe('AD')
  expect(limit(['AD', 'ES'])).toBe('')
})

it('regionSettings: the packaged region -> the built-in defaults', () => {
  const facts = { countryCode: 'UY', timezone: 'America/Montevideo', currency: 'UYU', languages: ['es'] }
  expect(defaultSettings).toMatchObject(regionSettings(facts))
})
