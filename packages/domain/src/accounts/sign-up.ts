import { type ErrorKey, type FieldError, Refusal } from '../error-keys.ts'
import type { Settings } from '../settings/settings.ts'
import { isE164, isEmail } from '../users/contact.ts'
import { type DriverField, driverFields, type UserTextField, userTextFields } from '../users/field-views.ts'

/**
 * A sign-up as the rules check it. `mobile` is the complete number (`+59899123456`); null when its parts are invalid.
 */
export interface SignUpInput {
  firstName: string
  lastName: string
  email: string
  password: string
  mobile: string | null
  usertype: 'rider' | 'driver'
}
type BankTexts<Text> = Record<UserTextField<'bank'>, Text>

/** The additional fields of a driver; all required on the register screen. */
export type DriverFields = Partial<Record<DriverField, string | undefined>>

/** Throws the first refusal in the order of the form: names, email, password, phone. */
export function checkSignUp(input: SignUpInput): void {
  const nameless = (['firstName', 'lastName'] as const).filter((field) => input[field].trim() === '')
  if (nameless.length > 0) throw refused('proper_input_name', nameless)
  if (!isEmail(input.email)) throw refused('proper_email', ['email'])
  const password = passwordError(input.password)
  if (password !== null) throw refused(password, ['password'])
  if (input.mobile === null || !isE164(input.mobile)) throw refused('mobile_no_blank_error', ['mobile'])
}

/** Throws invalid_input with the missing fields of a driver's vehicle. */
export function checkDriverFields(fields: DriverFields): void {
  const missing = driverFields.filter((field) => (fields[field] ?? '').trim() === '')
  if (missing.length === 0) return
  throw new Refusal('invalid_input', { fields: missing.map((field) => ({ field, error: 'required' })) })
}

type SignUpSettings = Pick<Settings, 'driver_approval' | 'bank_fields' | 'RiderWithDraw'>

/** True when a new user can use the account immediately: riders, and drivers unless an admin has to approve them. */
export function isApprovedAtOnce(usertype: 'rider' | 'driver', settings: SignUpSettings): boolean {
  return usertype === 'rider' || !settings.driver_approval
}

/** Bank details, if the settings ask for them. */
export function bankDetails(input: Partial<BankTexts<string | undefined>>, settings: SignUpSettings) {
  const isAsked = settings.bank_fields && settings.RiderWithDraw
  return Object.fromEntries(
    userTextFields('bank').map((field) => [field, (isAsked && input[field]?.trim()) || null]),
  ) as BankTexts<string | null>
}

function refused(key: FieldError['error'] & Refusal['key'], fields: readonly string[]): Refusal {
  return new Refusal(key, { fields: fields.map((field) => ({ field, error: key })) })
}

/** Password policies. The platform uses `alphanumeric`. */
const passwordModes = ['alphanumeric', 'any', 'complex'] as const
type PasswordMode = (typeof passwordModes)[number]

const rules: Record<PasswordMode, { fits(password: string): boolean; error: ErrorKey }> = {
  alphanumeric: {
    fits: (password) => /^[A-Za-z0-9@*#]{6,30}$/.test(password),
    error: 'password_alphaNumeric_check',
  },
  any: { fits: (password) => password.length > 0, error: 'password_blank_messege' },
  complex: {
    fits: (password) =>
      /^\S{8,30}$/.test(password) &&
      [/\d/, /[a-z]/, /[A-Z]/, /[^A-Za-z0-9\s]/].every((kind) => kind.test(password)),
    error: 'password_complexity_check',
  },
}

/**
 * Why a password is refused, or null. `alphanumeric`: 6 to 30 letters, digits and @ * #; `any`: not empty; `complex`: 8
 * to 30 characters with a digit, a lowercase and an uppercase letter and a special character, and no spaces.
 */
export function passwordError(password: string, mode: PasswordMode = 'alphanumeric'): ErrorKey | null {
  const { fits, error } = rules[mode]
  return fits(password) ? null : error
}
