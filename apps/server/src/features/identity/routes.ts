import { Refusal } from '@hansom/domain/error-keys'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { RequestContext } from '../../platform/http/request-context.ts'
import type { IdentityService } from './service.ts'

const origin = ({ ip, headers }: RequestContext) => ({
  address: ip,
  userAgent: String(headers['user-agent'] ?? '').slice(0, 300),
})

/** The only ways in and out; the identity library's own routes do not exist here. */
export function accountsRoutes(os: Os, identity: IdentityService, sessionEnded: (uid: string) => void) {
  const { accounts } = os
  const later = () => {
    throw new Refusal('unavailable')
  }
  return {
    ways: accounts.ways.handler(later),
    signUp: accounts.signUp.handler(later),
    signInByEmail: accounts.signInByEmail.handler(async ({ input, context }) => {
      const { uid, token, cookie } = await identity.signIn(input, origin(context))
      context.setHeader('set-cookie', cookie)
      return { uid, token }
    }),
    requestPhoneCode: accounts.requestPhoneCode.handler(later),
    signInByPhone: accounts.signInByPhone.handler(later),
    signOut: accounts.signOut.handler(async ({ context }) => {
      const { cookie, uid } = await identity.signOut(context.headers)
      if (uid !== null) sessionEnded(uid)
      context.setHeader('set-cookie', cookie)
      return { ok: true as const }
    }),
    session: accounts.session.handler(({ context }) => {
      if (context.viewer === null) return null
      const { uid, role, approved } = context.viewer
      return { uid, role, approved }
    }),
    forgotPassword: accounts.forgotPassword.handler(later),
    resetPassword: accounts.resetPassword.handler(later),
    acceptInvitation: accounts.acceptInvitation.handler(later),
    verifyEmail: accounts.verifyEmail.handler(later),
    changePassword: accounts.changePassword.use(signedIn).handler(later),
    sessions: accounts.sessions.use(signedIn).handler(later),
    endSession: accounts.endSession.use(signedIn).handler(later),
    signOutEverywhere: accounts.signOutEverywhere.use(signedIn).handler(later),
    requestEmailChange: accounts.requestEmailChange.use(signedIn).handler(later),
    confirmEmailChange: accounts.confirmEmailChange.handler(later),
    requestMobileChange: accounts.requestMobileChange.use(signedIn).handler(later),
    confirmMobileChange: accounts.confirmMobileChange.use(signedIn).handler(later),
  }
}

/** The functions of a sign-up, at their exact paths. */
export function signUpFunctions(os: Os) {
  const { functions } = os
  const later = () => {
    throw new Refusal('unavailable')
  }
  return {
    validateReferrer: functions.validateReferrer.handler(later),
    checkUserExists: functions.checkUserExists.handler(later),
    userSignUp: functions.userSignUp.handler(later),
  }
}
