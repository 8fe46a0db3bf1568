import { toE164 } from '@hansom/domain/users/contact'
import { dialPrefix } from '@hansom/domain/users/countries'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * Normalizes a full number (`+598099123456`) to E.164, without the national trunk zero. A number unknown to all
 * numbering plans stays unchanged.
 */
export function normalizePhone(whole: string): string {
  const parsed = parsePhoneNumberFromString(whole)
  if (parsed === undefined) return whole
  if (parsed.isValid()) return parsed.number
  // The dial prefix was selected and also typed.
  const twice = parsePhoneNumberFromString(`+${parsed.nationalNumber}`)
  if (!twice?.isValid() || twice.countryCallingCode !== parsed.countryCallingCode) return whole
  return twice.number
}

/** Parses a number as written in `country` (ISO 3166 alpha-2) into the stored form. Null when it is invalid. */
export function parsePhone(text: string, country: string): string | null {
  const whole = toE164(dialPrefix(country), text)
  return whole === null ? null : normalizePhone(whole)
}

const looksLikePhone = /^(?=(?:\D*\d){4})[+\d\s().\-/]+$/
const isPlain = /^[1-9]\d*$/

/** Returns the search text, with a phone number in any format converted to the stored digits. */
export function phoneSearchText(words: string, country: string): string {
  const text = words.trim()
  if (!looksLikePhone.test(text) || isPlain.test(text)) return words
  const whole = toE164(dialPrefix(country), text)
  const parsed = whole === null ? undefined : parsePhoneNumberFromString(whole)
  if (parsed?.isValid()) return parsed.number.slice(1)
  return text.replace(/\D/g, '').replace(/^0+/, '')
}
