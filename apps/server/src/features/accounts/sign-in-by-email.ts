import { Refusal } from '@hansom/domain/error-keys'
import { isEmail } from '@hansom/domain/users/contact'
import type { Database } from '../../platform/database/database.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Attempts, SignInLimits } from './attempts.ts'
import { findCredential, lockPasswordHash, verifyCredential } from './credentials.ts'
import type { Mails } from './mails.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import { refuseIneligible } from './sign-in-eligibility.ts'
import { cookieText, type Devices, deviceCookie, deviceSeconds, limitKeyOf, type Visitor } from './visitor.ts'

export interface SignInDeps {
  database: Database
  settings: SettingsService
  attempts: Attempts
  limits: SignInLimits
  devices: Devices
  sessions: Sessions
  mails: Mails
  secure: boolean
}

/**
 * Signs in by email and password. Throws login_validate_error for a malformed email or empty password; login_error for
 * a wrong pair, whether or not the email is known; too_many_requests; and for a correct password, why the user may not
 * sign in. A user who must verify their email first is sent a link.
 */
export function signInByEmail(deps: SignInDeps) {
  const { database, settings, attempts, limits, devices, sessions, mails } = deps

  const refuseUnlessAllowed = async (uid: string) => {
    try {
      await refuseIneligible(database.db, uid, (await settings.current()).email_verify)
    } catch (error) {
      if (error instanceof Refusal && error.key === 'email_verify_message') {
        if (await attempts.isAllowed('mailsOfPerson', 'verify', uid)) {
          await mails.refuseWhenFull()
          await mails.order({ kind: 'verify_email', uid })
        }
      }
      throw error
    }
  }

  return async (input: { email: string; password: string }, visitor: Visitor): Promise<SignedIn> => {
    const email = input.email.trim()
    if (!isEmail(email) || input.password === '') throw new Refusal('login_validate_error')
    const device = devices.known(visitor.device ?? null, email)
    const guesser = { email, ipKey: limitKeyOf(visitor), device }
    const find = () => findCredential(database.db, { email })
    const credential = await verifyCredential(limits, guesser, find, input.password)
    await refuseUnlessAllowed(credential.uid)
    // A password change during this sign-in has ended all sessions but the one just opened.
    const opened = await sessions.openIf(
      credential.uid,
      visitor,
      async (tx) => (await lockPasswordHash(tx, credential.uid)) === credential.password,
    )
    const remembered = devices.remember(visitor.device ?? null, email)
    return {
      ...opened,
      cookies: [...opened.cookies, cookieText(deviceCookie, remembered, deviceSeconds, deps.secure)],
    }
  }
}

/** The sign-in methods other than email and password. */
export interface SignInMethods {
  /** Returns the methods that are switched on and, for social ones, configured. */
  enabled(): Promise<{ phone: boolean; facebook: boolean; apple: boolean }>
}

export function createSignInMethods(
  settings: SettingsService,
  configured: { facebook: boolean; apple: boolean },
): SignInMethods {
  return {
    enabled: async () => {
      const { MobileLoginEnabled, FacebookLoginEnabled, AppleLoginEnabled } = await settings.current()
      return {
        phone: MobileLoginEnabled,
        facebook: FacebookLoginEnabled && configured.facebook,
        apple: AppleLoginEnabled && configured.apple,
      }
    },
  }
}
