import { workParts } from '@hansom/domain/accounts/attempts'
import { roles } from '@hansom/domain/users/roles'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant } from './shapes.ts'
import { signUpShape } from './users-fields.ts'

/**
 * Sign-up, sign-in and account management. Texts are accepted loosely here and validated by the domain's rules, so that
 * an invalid one is refused with a key that the screens know.
 *
 * Not in this contract, because they are browser redirects or not JSON:
 * `GET /api/auth/social/{provider}?from=/path` starts sign-in with `facebook` or `apple` and ends at
 * `/login?social=done|<error key>` (`from` is passed on when it is a path of this site);
 * `POST /api/v1/uploads/licence`, a multipart form with one part `image`, returns `uploaded`.
 */
const text = (most: number) => z.string().max(most).default('')
const optionalText = (most: number) => z.string().max(most).optional()
const secret = z.string().max(200)
/** Token of a one-time link. */
const token = z.string().min(1).max(200)
/** Signed by the server. */
const seal = z.string().min(1).max(1000)

/**
 * The signed-in user. The session is in the response's cookie; `token` is the same session for an authorization header.
 */
export const signedIn = z.object({ uid: id, token: z.string() })
export type SignedIn = z.infer<typeof signedIn>

const done = z.object({ ok: z.literal(true) })

/**
 * A phone number in two parts: the country's dial prefix in digits, and the digits after it. Spaces and dashes are
 * ignored; a number that begins with a plus sign or 00 contains its own prefix.
 */
const phone = z.strictObject({
  phoneCode: text(8),
  mobile: text(30),
  /** The solution to the challenge sent with `proof_of_work_needed`; see `domain/accounts/attempts`. */
  work: z
    .strictObject({
      challenge: seal,
      nonces: z.array(z.int().min(0)).max(workParts),
    })
    .optional(),
})

const person = {
  ...signUpShape(),
  email: text(254),
  password: secret.default(''),
  /** The referrer's code; empty for none. */
  referralId: optionalText(60),
  /** Name of a car type; drivers only. */
  carType: optionalText(80),
  /** Id of an upload; see `uploaded`. Drivers only. */
  licenseImage: optionalText(60),
  /** Language for messages to this person, such as `en`. */
  locale: optionalText(20),
}

/**
 * A sign-up as the register screen sends it. For usertype `driver` the vehicle fields, `carType` and `licenseImage` are
 * required as well. Unknown fields are refused.
 */
export const signUp = z.strictObject({
  ...person,
  phoneCode: text(8),
  mobile: text(30),
  usertype: z.enum(['rider', 'driver']).default('rider'),
})
export type SignUp = z.input<typeof signUp>

/**
 * The same for `/user_signup`: `mobile` is the complete number (`+59899123456`), `signupViaReferral` the referrer's
 * uid.
 */
export const registration = z.strictObject({
  ...person,
  mobile: text(30),
  usertype: z.enum(['rider', 'driver']).default('rider'),
  signupViaReferral: id.optional(),
  /** Accepted and ignored: the server's clock is used. */
  createdAt: instant.optional(),
})

/**
 * `approved` false: an admin has to approve the account first. `emailToVerify`: the link in the email has to be opened
 * first.
 */
export const signedUp = z.object({ uid: id, approved: z.boolean(), emailToVerify: z.boolean() })

/** An uploaded image, stored for one hour until a sign-up refers to it. */
export const uploaded = z.object({ uploadId: z.string() })

export const session = z.object({
  id,
  createdAt: instant,
  lastUsed: instant,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** True for the session that makes this request. */
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

const account = <M extends 'GET' | 'POST' | 'DELETE', P extends `/${string}`>(
  method: M,
  path: P,
  successStatus = 200,
) => base.route({ method, path, tags: ['accounts'], successStatus })

export const accountsContract = {
  /** The sign-in methods other than email: enabled in the settings and, for social ones, configured. */
  ways: account('GET', '/api/v1/sign-in/ways').output(
    z.object({ phone: z.boolean(), facebook: z.boolean(), apple: z.boolean() }),
  ),
  signUp: account('POST', '/api/v1/sign-up', 201).input(signUp).output(signedUp),
  /**
   * Throws `login_validate_error`, `login_error`, `too_many_requests` with `data.retryAfterS`, or the reason why the
   * person may not sign in.
   */
  signInByEmail: account('POST', '/api/auth/sign-in/email')
    .input(z.object({ email: text(254), password: secret.default('') }))
    .output(signedIn),
  /**
   * Sends a code to the phone of an existing user (`user_does_not_exists`). `verificationId` is sent back with the
   * code; another code can be requested after `retryAfterS` seconds. Without `work`, throws `proof_of_work_needed` with
   * the challenge as data.
   */
  requestPhoneCode: account('POST', '/api/v1/sign-in/phone/code')
    .input(phone)
    .output(z.object({ verificationId: z.string(), expiresAt: instant, retryAfterS: z.int() })),
  /**
   * Throws `otp_validate_error` for a malformed code, `wrong_login_code` for a wrong or expired one,
   * `too_many_requests` after five; `phone_not_proven` with `data.proof` and the masked `data.email` while the number
   * is not verified.
   */
  signInByPhone: account('POST', '/api/v1/sign-in/phone')
    .input(z.strictObject({ verificationId: token, otp: text(20) }))
    .output(signedIn),
  /**
   * Follows `phone_not_proven`; `proof` is from its data. The account's password, or the token of a link from its
   * mailbox, proves that the number belongs to the account. Throws `login_error`, `link_expired`, `too_many_requests`.
   */
  provePhone: account('POST', '/api/v1/sign-in/phone/prove')
    .input(z.strictObject({ proof: seal, password: secret.optional(), link: token.optional() }))
    .output(signedIn),
  /** Emails that link to the account; it opens `/confirm-mobile?token=` in the browser that has the `proof`. */
  mailPhoneProof: account('POST', '/api/v1/sign-in/phone/mail')
    .input(z.strictObject({ proof: seal }))
    .output(done),
  /** Ends the current session. */
  signOut: account('POST', '/api/auth/sign-out').output(done),
  /** The signed-in user; null when no one is signed in. */
  session: account('GET', '/api/auth/session').output(
    z.object({ uid: id, role: z.enum(roles), approved: z.boolean() }).nullable(),
  ),

  /** Returns the same whether or not the email is known; if it is, sends a link to `/reset-password?token=`. */
  forgotPassword: account('POST', '/api/v1/password/forgot')
    .input(z.strictObject({ email: text(254) }))
    .output(done),
  /** Throws `link_expired` for a used, expired or unknown token. Ends all sessions of that user. */
  resetPassword: account('POST', '/api/v1/password/reset')
    .input(z.strictObject({ token, password: secret.default('') }))
    .output(done),
  /** Sets the first password of a user added by an admin; the link opens `/invitation?token=`. */
  acceptInvitation: account('POST', '/api/v1/invitation/accept')
    .input(z.strictObject({ token, password: secret.default('') }))
    .output(done),
  /** The link in a verification email opens `/verify-email?token=`. */
  verifyEmail: account('POST', '/api/v1/email/verify').input(z.strictObject({ token })).output(done),

  /** Requires the current password (`login_error`). All other sessions end; this one gets a new token and cookie. */
  changePassword: account('POST', '/api/v1/me/password')
    .input(z.strictObject({ current: secret.default(''), password: secret.default('') }))
    .output(signedIn),
  sessions: account('GET', '/api/v1/me/sessions').output(z.array(session)),
  endSession: account('DELETE', '/api/v1/me/sessions/{id}').input(z.object({ id })).output(done),
  /** Ends every session of this user, including the current one. */
  signOutEverywhere: account('POST', '/api/v1/me/sign-out-everywhere').output(done),

  /** Sends a link to the new email address; nothing changes until it is opened. It opens `/confirm-email?token=`. */
  requestEmailChange: account('POST', '/api/v1/me/email')
    .input(z.strictObject({ email: text(254) }))
    .output(done),
  /**
   * Requires a session of the account (`link_other_account`), because the email may have reached a stranger. Throws
   * `user_exists` when another user has taken the email address in the meantime.
   */
  confirmEmailChange: account('POST', '/api/v1/email/confirm').input(z.strictObject({ token })).output(done),
  /** Sends a code to the new number; nothing changes until the code is confirmed. */
  requestMobileChange: account('POST', '/api/v1/me/mobile')
    .input(phone)
    .output(z.object({ verificationId: z.string(), expiresAt: instant, retryAfterS: z.int() })),
  confirmMobileChange: account('POST', '/api/v1/me/mobile/confirm')
    .input(z.strictObject({ verificationId: token, otp: text(20) }))
    .output(done),
}
