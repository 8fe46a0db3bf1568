import { Refusal } from '@hansom/domain/error-keys'
import { wholePhone } from '@hansom/domain/users/contact'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { SettingsService } from '../settings/service.ts'
import { storedPhone } from '../users/phone-number.ts'
import { usersTable } from '../users/table.ts'
import { cookieText } from './cookies.ts'
import { type Devices, deviceSeconds, phoneDeviceCookie } from './device.ts'
import type { PhoneCodes, SentCode } from './phone-codes.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import type { Visitor } from './visitor.ts'

export interface PhoneSignIn {
  /** Throws forbidden when it is switched off, mobile_no_blank_error, user_does_not_exists, too_many_requests. */
  request(phone: { phoneCode: string; mobile: string }, visitor: Visitor): Promise<SentCode>
  /** Throws what `PhoneCodes.use` throws, and why the person may not enter. */
  signIn(input: { verificationId: string; otp: string }, visitor: Visitor): Promise<SignedIn>
}

export interface PhoneSignInDeps {
  database: Database
  settings: SettingsService
  codes: PhoneCodes
  devices: Devices
  sessions: Sessions
  secure: boolean
}

/** Signing in by a code that is sent to the phone of somebody who has an account already. */
export function createPhoneSignIn(deps: PhoneSignInDeps): PhoneSignIn {
  const { database, settings, codes, devices, sessions } = deps
  const refuseWhenOff = async () => {
    if (!(await settings.current()).MobileLoginEnabled) throw new Refusal('forbidden')
  }
  return {
    request: async ({ phoneCode, mobile }, visitor) => {
      await refuseWhenOff()
      const typed = wholePhone(phoneCode, mobile)
      if (typed === null) throw new Refusal('mobile_no_blank_error')
      const whole = storedPhone(typed)
      const retryAfterS = await codes.limit(whole, visitor)
      const [person] = await database.db
        .select({ uid: usersTable.id, locale: usersTable.locale })
        .from(usersTable)
        .where(eq(usersTable.mobile, whole))
      if (person === undefined) throw new Refusal('user_does_not_exists')
      return codes.send('sign_in', { ...person, mobile: whole, retryAfterS })
    },
    signIn: async ({ verificationId, otp }, visitor) => {
      await refuseWhenOff()
      const { uid, mobile } = await codes.use('sign_in', verificationId, otp)
      const [still] = await database.db
        .select({ uid: usersTable.id })
        .from(usersTable)
        .where(and(eq(usersTable.id, uid), eq(usersTable.mobile, mobile)))
      if (still === undefined) throw new Refusal('wrong_login_code')
      const opened = await sessions.open(uid, visitor)
      await codes.givenBack(mobile, visitor)
      const remembered = devices.remember(visitor.phoneDevice ?? null, mobile)
      return {
        ...opened,
        cookies: [...opened.cookies, cookieText(phoneDeviceCookie, remembered, deviceSeconds, deps.secure)],
      }
    },
  }
}
