import { splitPhone } from './countries.ts'

const emailPattern =
  /^[A-Za-z0-9._%+'-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/

/** True for an email address: one @, a domain with a dot and letters at its end. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text)
}

/** True for a stored phone number: a plus sign, the country's dial prefix, the digits (E.164). */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text)
}

/** Separators between the digits of a written number, and direction marks that are copied with it. */
const betweenDigits = /[\s().\-/\u2010-\u2015\u2212\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A phone number from its two parts: the dial prefix in digits, and at least six digits, optionally with spaces or
 * dashes. A number that begins with a plus sign or 00 contains its own dial prefix. Null when they are invalid.
 */
export function toE164(phoneCode: string, mobile: string): string | null {
  const plain = mobile.replace(betweenDigits, '').replace(/^00/, '+')
  const isInternational = plain.startsWith('+')
  if (
    isInternational
      ? splitPhone(plain) === null
      : !/^[1-9]\d{0,6}$/.test(phoneCode) || !/^\d{6,}$/.test(plain)
  ) {
    return null
  }
  const phone = isInternational ? plain : `+${phoneCode}${plain}`
  return isE164(phone) ? phone : null
}

export const leastLoginCode = 100_001
export const greatestLoginCode = 999_999

/** True for a sign-in code as sent to phones: six digits, from 100001 to 999999. */
export function isLoginCode(text: string): boolean {
  return /^\d{6}$/.test(text) && Number(text) >= leastLoginCode
}

/**
 * The contacts a user may change. With email and password sign-in both are fixed, but a missing phone number can be
 * added.
 */
export function changeableContacts(user: { loginType: string; mobile: string | null }): {
  email: boolean
  mobile: boolean
} {
  const byEmail = user.loginType === 'email'
  return { email: !byEmail, mobile: !byEmail || user.mobile === null }
}
