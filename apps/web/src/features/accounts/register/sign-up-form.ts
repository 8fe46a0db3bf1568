import { isEmail, toE164 } from '@hansom/domain/users/contact'
import { passwordError } from '@hansom/domain/accounts/password'
import type { ErrorKey } from '@hansom/domain/error-keys'

/** Text values of the sign-up form by field; the phone is stored separately. */
export interface SignUpValues {
  firstName: string
  lastName: string
  email: string
  password: string
  referralId: string
  bankName: string
  bankCode: string
  bankAccount: string
  vehicleMake: string
  vehicleModel: string
  vehicleNumber: string
  other_info: string
  carType: string
}

export const emptySignUp: SignUpValues = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  referralId: '',
  bankName: '',
  bankCode: '',
  bankAccount: '',
  vehicleMake: '',
  vehicleModel: '',
  vehicleNumber: '',
  other_info: '',
  carType: '',
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
