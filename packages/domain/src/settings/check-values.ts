import type { FieldError } from '../error-keys.ts'
import { percentageProblem, unit } from '../money/amount.ts'
import { isEmail } from '../users/contact.ts'
import { dialPrefix } from '../users/countries.ts'
import { type SettingField, type SettingName, type SettingValues, settingFields } from './fields.ts'

type Reason = FieldError['error']

/** The facts about an installation needed to check its settings. */
export interface SettingFacts {
  /** Bookings or money exist: the currency cannot change. */
  currencyInUse: boolean
  /** The current currency. */
  code: string
}

const longestLink = 500
/** The highest bonus: a million. */
const greatestAmount = 1_000_000 * unit

/** Values normalized for storage: trimmed, currency and countries in capitals, handles as URLs. */
export function tidyValues(values: Partial<SettingValues>): Partial<SettingValues> {
  const tidied = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [[name, typeof value === 'string' ? tidyText(name as SettingName, value) : value]]
  })
  return Object.fromEntries(tidied) as Partial<SettingValues>
}

function tidyText(name: SettingName, value: string): string {
  const field: SettingField = settingFields[name]
  const text = value.trim()
  if (field.kind === 'currency' || field.kind === 'country') return text.toUpperCase()
  if (field.kind === 'handle') return handleUrl(field.site, text)
  if (field.kind === 'link') return linkUrl(text)
  return text
}

/** The URL of a page on a site: `@rides` and `rides` become `https://x.com/rides`; a URL stays unchanged. */
export function handleUrl(site: string, text: string): string {
  const name = text.trim()
  if (/^@?[\w.]{1,60}$/.test(name) && !/\.(com|org|net)$/i.test(name)) return site + name.replace(/^@/, '')
  return linkUrl(name)
}

/** A URL from a typed link such as `rides.example/terms`, with the scheme added. */
function linkUrl(text: string): string {
  return /^[\w-]+(\.[\w-]+)+([/?#].*)?$/.test(text) ? `https://${text}` : text
}

/** Every invalid field with the reason. Expects normalized values. */
export function checkValues(values: Partial<SettingValues>, facts: SettingFacts): FieldError[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const error =
      name === 'code' && facts.currencyInUse && value !== facts.code
        ? 'currency_in_use'
        : checkValue(name as SettingName, value)
    return error === null ? [] : [{ field: name, error }]
  })
}

/** The reason why a value is invalid; null when it is valid. */
export function checkValue(name: SettingName, value: SettingValues[SettingName]): Reason | null {
  const field: SettingField = settingFields[name]
  if (typeof value === 'string') return checkText(field, value)
  if (field.kind === 'flag') return typeof value === 'boolean' ? null : 'wrong_type'
  return checkNumber(field, value)
}

function checkText(field: SettingField, text: string): Reason | null {
  switch (field.kind) {
    case 'text':
      if (text.length < field.least) return 'required'
      return text.length > field.most ? 'too_long' : null
    case 'link':
    case 'handle':
      return text === '' || isLink(text) ? null : 'not_a_link'
    case 'email':
      return text === '' || isEmail(text) ? null : 'proper_email'
    case 'currency':
      return /^[A-Z]{3}$/.test(text) ? null : 'not_a_currency'
    case 'country':
      if (text === '') return field.optional ? null : 'required'
      return dialPrefix(text) === '' ? 'not_in_list' : null
    case 'choice':
      return field.options.some((option) => option === text) ? null : 'not_in_list'
    case 'timezone':
      return isTimezone(text) ? null : 'not_in_list'
    default:
      return 'wrong_type'
  }
}

function checkNumber(field: SettingField, value: number | boolean | null): Reason | null {
  if (field.kind === 'amount') {
    const isAmount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    return isAmount && value <= greatestAmount ? null : (field.error ?? 'out_of_range')
  }
  if (field.kind === 'percentage') {
    return value === null ? 'required' : typeof value === 'number' ? percentageProblem(value) : 'wrong_type'
  }
  if (field.kind !== 'whole' && field.kind !== 'distance') return 'wrong_type'
  if (value === null) return 'required'
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'wrong_type'
  if (field.kind === 'whole' && !Number.isInteger(value)) return 'wrong_type'
  return value < field.from || value > field.to ? 'out_of_range' : null
}

const urlPattern = /^https?:\/\/([a-z0-9\u00a1-\uffff-]+\.)+[a-z0-9\u00a1-\uffff-]+(:\d{1,5})?([/?#]\S*)?$/i

function isLink(text: string): boolean {
  return text.length <= longestLink && urlPattern.test(text)
}

function isTimezone(name: string): boolean {
  // Newer engines accept an offset such as +03:00 as a zone; PostgreSQL's reports do not, as it has no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
