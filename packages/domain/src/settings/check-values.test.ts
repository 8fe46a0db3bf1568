import { describe, expect, it } from 'vitest'
import { checkValue, checkValues, handleUrl, tidyValues } from './check-values.ts'
import {
  fieldsOf,
  type SettingName,
  type SettingValues,
  settingFields,
  settingNames,
  settingSections,
} from './fields.ts'
import { defaultSettings } from './settings.ts'
import { changesOf, conflictsOf, valuesOf } from './values.ts'

const free = { currencyInUse: false, code: 'UYU' }
const reasonOf = (name: SettingName, value: string | number | boolean | null) =>
  checkValue(name, value as SettingValues[SettingName])

describe('setting fields', () => {
  it('every field -> one section, and a valid default', () => {
    const placed = settingSections.flatMap((section) => [
      ...fieldsOf(section, 'taxi'),
      ...fieldsOf(section, 'delivery').filter((name) => !fieldsOf(section, 'taxi').includes(name)),
    ])
    expect(placed.sort()).toEqual([...settingNames].sort())
    expect(checkValues(valuesOf(defaultSettings), free)).toEqual([])
  })

  it('every setting -> a field, except those decided elsewhere', () => {
    const groups = settingNames.map((name) => name.split('.')[0])
    const decidedElsewhere = ['category', 'languagesVersion']
    expect(new Set([...groups, ...decidedElsewhere])).toEqual(new Set(Object.keys(defaultSettings)))
  })

  it('category -> only its fields', () => {
    expect(fieldsOf('delivery', 'taxi')).toEqual([])
    expect(fieldsOf('delivery', 'delivery')).toContain('AllowFinalDeliveryImageCapture')
  })
})

it('panic button -> on the settings page of a taxi installation only', () => {
  expect(fieldsOf('safety', 'taxi')).toEqual(['panic'])
  expect(fieldsOf('safety', 'delivery')).toEqual([])
})

describe('setting values', () => {
  it.each<[SettingName, string | number | boolean | null, string]>([
    ['bonus', null, 'proper_bonus'],
    ['bonus', -1, 'proper_bonus'],
    ['bonus', 0.5, 'proper_bonus'],
    ['decimal', null, 'required'],
    ['decimal', -1, 'out_of_range'],
    ['decimal', 5, 'out_of_range'],
    ['decimal', 1.5, 'wrong_type'],
    ['driverRadius', null, 'required'],
    ['driverRadius', -0.1, 'out_of_range'],
    ['driverRadius', Number.NaN, 'wrong_type'],
    ['appName', '', 'required'],
    ['appName', 'x'.repeat(61), 'too_long'],
    ['symbol', '', 'required'],
    ['code', 'PESO', 'not_a_currency'],
    ['contact_email', 'ana@', 'proper_email'],
    ['CompanyWebsite', 'javascript:alert(1)', 'not_a_link'],
    ['CompanyWebsite', 'https://user@rides.example', 'not_a_link'],
    ['FacebookHandle', 'two words', 'not_a_link'],
    ['country', '', 'required'],
    ['country', 'XX', 'not_in_list'],
    ['timezone', 'Mars/Olympus', 'not_in_list'],
    ['timezone', '+03:00', 'not_in_list'],
    ['otp_secure', 'true', 'wrong_type'],
    ['decimal', true, 'wrong_type'],
    ['appName', 7, 'wrong_type'],
  ])('%s: %j -> %s', (name, value, reason) => {
    expect(reasonOf(name, value)).toBe(reason)
  })

  it.each<[SettingName, string | number | boolean]>([
    ['bonus', 0],
    ['decimal', 4],
    ['driverRadius', 0],
    ['driverRadius', 7.5],
    ['restrictCountry', ''],
    ['contact_email', ''],
    ['AppleStoreLink', 'https://apps.apple.com/app/id1'],
    ['timezone', 'Asia/Kathmandu'],
    ['panic', false],
  ])('%s: %j -> accepted', (name, value) => {
    expect(reasonOf(name, value)).toBeNull()
  })

  it('currency in use -> cannot change, but may be sent unchanged', () => {
    const used = { currencyInUse: true, code: 'UYU' }
    expect(checkValues({ code: 'ARS' }, used)).toEqual([{ field: 'code', error: 'currency_in_use' }])
    expect(checkValues({ code: 'UYU' }, used)).toEqual([])
    expect(checkValues({ code: 'ARS' }, free)).toEqual([])
  })

  it('typed values -> normalized', () => {
    expect(
      tidyValues({ appName: ' Cab ', code: 'ars', country: 'ar', TwitterHandle: '@cab', decimal: 2 }),
    ).toEqual({ appName: 'Cab', code: 'ARS', country: 'AR', TwitterHandle: 'https://x.com/cab', decimal: 2 })
    expect(tidyValues({ CompanyTerms: 'rides.example/terms' })).toEqual({
      CompanyTerms: 'https://rides.example/terms',
    })
  })

  it('handle -> URL; URL -> unchanged', () => {
    const { site } = settingFields.FacebookHandle
    expect(handleUrl(site, 'hansom.rides')).toBe('https://www.facebook.com/hansom.rides')
    expect(handleUrl(site, 'facebook.com/hansom')).toBe('https://facebook.com/hansom')
    expect(handleUrl(site, 'https://m.facebook.com/x')).toBe('https://m.facebook.com/x')
    expect(handleUrl(site, '')).toBe('')
  })
})

it('group of settings -> merged without losing its other fields', () => {
  const changes = changesOf(defaultSettings, { 'dispatch.waveSize': 4, appName: 'Cab' })
  expect(changes).toEqual({ appName: 'Cab', dispatch: { ...defaultSettings.dispatch, waveSize: 4 } })
  expect(changesOf(defaultSettings, { decimal: 2 })).toEqual({ decimal: 2 })
})

it('two edits -> the fields changed to different values', () => {
  const before = { appName: 'A', symbol: '$', decimal: 0 }
  const after = { appName: 'B', symbol: '€', decimal: 2 }
  expect(conflictsOf(before, { appName: 'C', symbol: '€' }, after)).toEqual([
    { name: 'appName', mine: 'C', theirs: 'B' },
  ])
  expect(conflictsOf(before, { appName: 'C' }, { ...before, decimal: 2 })).toEqual([])
})
