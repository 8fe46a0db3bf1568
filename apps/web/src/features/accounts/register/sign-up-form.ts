import type { SignUp } from '@hansom/contract/accounts'
import { passwordError } from '@hansom/domain/accounts/sign-up'
import type { ErrorKey } from '@hansom/domain/error-keys'
import { isEmail, toE164 } from '@hansom/domain/users/contact'
import { type SignUpField, signUpFields, signUpFieldsIn } from '@hansom/domain/users/field-views'
import type { UserFieldGroup } from '@hansom/domain/users/fields'

/** Text values of the sign-up form by field; the phone is stored separately. */
export type SignUpValues = Record<SignUpField | 'email' | 'password' | 'referralId' | 'carType', string>

export const emptySignUp: SignUpValues = {
  email: '',
  password: '',
  referralId: '',
  carType: '',
  ...(Object.fromEntries(signUpFields.map(([field]) => [field, ''])) as Record<SignUpField, string>),
}

const driverNeeds = ['vehicleMake', 'vehicleModel', 'vehicleNumber', 'carType'] as const

/**
 * All problems by field, in form order; `field_required` for missing values. `uploadId` is the licence upload, null if
 * none.
 */
export function signUpProblems(
  values: SignUpValues,
  phone: { phoneCode: string; mobile: string },
  usertype: 'rider' | 'driver',
  uploadId: string | null,
): Partial<Record<keyof SignUpValues | 'mobile' | 'licenseImage', ErrorKey | 'field_required'>> {
  const driver = usertype === 'driver'
  const password = passwordError(values.password)
  return {
    ...(values.firstName.trim() ? {} : { firstName: 'proper_input_name' }),
    ...(values.lastName.trim() ? {} : { lastName: 'proper_input_name' }),
    ...(isEmail(values.email.trim()) ? {} : { email: 'proper_email' }),
    ...(password ? { password } : {}),
    ...(toE164(phone.phoneCode, phone.mobile) === null ? { mobile: 'mobile_no_blank_error' } : {}),
    ...(driver
      ? Object.fromEntries(
          driverNeeds.filter((name) => !values[name].trim()).map((name) => [name, 'field_required' as const]),
        )
      : {}),
    ...(driver && !uploadId ? { licenseImage: 'field_required' } : {}),
  }
}

/** Builds the sign-up request: only the fields that apply to the account type and settings. */
export function signUpRequest(
  values: SignUpValues,
  phone: { phoneCode: string; mobile: string },
  usertype: 'rider' | 'driver',
  uploadId: string | null,
  asksBank: boolean,
): SignUp {
  const { firstName, lastName, email, password, referralId, carType } = values
  const textsOf = (group: UserFieldGroup) =>
    Object.fromEntries(signUpFieldsIn(group).map((field) => [field, values[field]]))
  return {
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    email: email.trim(),
    password,
    ...phone,
    usertype,
    ...(referralId.trim() ? { referralId: referralId.trim() } : {}),
    ...(asksBank ? textsOf('bank') : {}),
    ...(usertype === 'driver' && uploadId ? { ...textsOf('vehicle'), carType, licenseImage: uploadId } : {}),
  }
}

/** The result of a sign-up: the steps required before sign-in, and the credentials for it. */
export interface SignUpResult {
  approved: boolean
  emailToVerify: boolean
  email: string
  password: string
}
