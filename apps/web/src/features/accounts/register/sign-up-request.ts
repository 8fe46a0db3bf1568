import type { SignUp } from '@hansom/contract/accounts'
import type { SignUpValues } from './sign-up-form.ts'

/** Builds the sign-up request: only the fields that apply to the account type and settings. */
export function signUpRequest(
  values: SignUpValues,
  phone: { phoneCode: string; mobile: string },
  usertype: 'rider' | 'driver',
  uploadId: string | null,
  asksBank: boolean,
): SignUp {
  const { firstName, lastName, email, password, referralId, bankName, bankCode, bankAccount } = values
  const { vehicleMake, vehicleModel, vehicleNumber, other_info, carType } = values
  return {
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    email: email.trim(),
    password,
    ...phone,
    usertype,
    ...(referralId.trim() ? { referralId: referralId.trim() } : {}),
    ...(asksBank ? { bankName, bankCode, bankAccount } : {}),
    ...(usertype === 'driver' && uploadId
      ? { vehicleMake, vehicleModel, vehicleNumber, other_info, carType, licenseImage: uploadId }
      : {}),
  }
}
