import { wholePhone } from '@hansom/domain/users/contact'
import { dialPrefix } from '@hansom/domain/users/countries'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * The one way in which a whole number (`+598099123456`) is stored: E.164, without the zero that is dialled inside the
 * country alone. A number that no numbering plan knows stays as it is.
 */
export function storedPhone(whole: string): string {
  const parsed = parsePhoneNumberFromString(whole)
  if (parsed === undefined) return whole
  if (parsed.isValid()) return parsed.number
  // The dial prefix was chosen, and typed once more in front of the number.
  const twice = parsePhoneNumberFromString(`+${parsed.nationalNumber}`)
  if (!twice?.isValid() || twice.countryCallingCode !== parsed.countryCallingCode) return whole
  return twice.number
}

/** A number as somebody in `country` (ISO 3166 alpha-2) writes it, as it is stored. Null when it is none. */
export function readPhone(text: string, country: string): string | null {
  const whole = wholePhone(dialPrefix(country), text)
  return whole === null ? null : storedPhone(whole)
}

const looksLikePhone = /^(?=(?:\D*\d){4})[+\d\s().\-/]+$/
const isPlain = /^[1-9]\d*$/

/** Words that are searched, with a phone number in any format turned into the digits that are stored. */
export function searchedPhone(words: string, country: string): string {
  const text = words.trim()
  if (!looksLikePhone.test(text) || isPlain.test(text)) return words
  const whole = wholePhone(dialPrefix(country), text)
  const parsed = whole === null ? undefined : parsePhoneNumberFromString(whole)
  if (parsed?.isValid()) return parsed.number.slice(1)
  return text.replace(/\D/g, '').replace(/^0+/, '')
}
