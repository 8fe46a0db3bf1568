import { workParts } from '@hansom/domain/accounts/proof-of-work'
import { roles } from '@hansom/domain/users/roles'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant } from './shapes.ts'

/**
 * Signing up and in, and what belongs to an account. Texts are taken as they come and looked at by the rules of the
 * domain, so that a wrong one is refused with the key that the screens know.
 *
 * Not in this contract, since a browser follows them or they are no JSON:
 * `GET /api/auth/social/{provider}?from=/path` begins signing in with `facebook` or `apple` and leads back to
 * `/login?social=done|<error key>` (`from` is carried along when it is a path of this site);
 * `POST /api/v1/uploads/licence`, a multipart form with one part `image`, answers with `uploaded`.
 */
const text = (most: number) => z.string().max(most).default('')
const optionalText = (most: number) => z.string().max(most).optional()
const secret = z.string().max(200)
/** Of a one-time link. */
const token = z.string().min(1).max(200)
/** Signed by the server. */
const seal = z.string().min(1).max(1000)

/** Who came in. The session is in the answer's cookie; `token` is the same for an authorization header. */
export const signedIn = z.object({ uid: id, token: z.string() })
export type SignedIn = z.infer<typeof signedIn>

const done = z.object({ ok: z.literal(true) })

/**
 * A phone number in two parts: the country's dial prefix in digits, and the digits after it. Spaces and dashes are left out,
 * and a number that begins with a plus sign or 00 has its own prefix.
 */
const phone = z.strictObject({
  phoneCode: text(8),
  mobile: text(30),
  /** The work that `proof_of_work_needed` has asked for; see `domain/accounts/proof-of-work`. */
  work: z
    .strictObject({
      challenge: seal,
      nonces: z.array(z.int().min(0)).max(workParts),
    })
    .optional(),
})

const person = {
  firstName: text(80),
  lastName: text(80),
  email: text(254),
  password: secret.default(''),
  /** The code somebody else gave; empty for none. */
  referralId: optionalText(60),
  bankName: optionalText(120),
  bankCode: optionalText(60),
  bankAccount: optionalText(60),
  // drivers
  vehicleMake: optionalText(80),
  vehicleModel: optionalText(80),
  vehicleNumber: optionalText(30),
  other_info: optionalText(500),
  /** Name of a car type. */
  carType: optionalText(80),
  /** Id of an upload; see `uploaded`. */
  licenseImage: optionalText(60),
  /** Language of what is written to the person, such as `en`. */
  locale: optionalText(20),
}

/**
 * A sign-up as the register screen sends it. For usertype `driver` the vehicle fields, `carType` and `licenseImage`
 * are needed as well. Unknown fields are refused.
 */
export const signUp = z.strictObject({
  ...person,
  phoneCode: text(8),
  mobile: text(30),
  usertype: z.enum(['rider', 'driver']).default('rider'),
})
export type SignUp = z.input<typeof signUp>

/** The same as `/user_signup` takes it: `mobile` is whole (`+59899123456`), `signupViaReferral` the referrer's uid. */
export const registration = z.strictObject({
  ...person,
  mobile: text(30),
  usertype: z.enum(['rider', 'driver']).default('rider'),
  signupViaReferral: id.optional(),
  /** Taken and not used: the server's clock says when. */
  createdAt: instant.optional(),
})

/** `approved` false: an admin has to approve first. `emailToVerify`: the link in the mail has to be opened first. */
export const signedUp = z.object({ uid: id, approved: z.boolean(), emailToVerify: z.boolean() })

/** An image that waits, for an hour, for the sign-up that names it. */
export const uploaded = z.object({ uploadId: z.string() })

export const session = z.object({
  id,
  createdAt: instant,
  lastUsed: instant,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The session that asks. */
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

const account = <M extends 'GET' | 'POST' | 'DELETE', P extends `/${string}`>(
  method: M,
  path: P,
  successStatus = 200,
) => base.route({ method, path, tags: ['accounts'], successStatus })

export const accountsContract = {
  /** The sign-in methods besides email: switched on in the settings and, for social ones, configured. */
  ways: account('GET', '/api/v1/sign-in/ways').output(
    z.object({ phone: z.boolean(), facebook: z.boolean(), apple: z.boolean() }),
  ),
  signUp: account('POST', '/api/v1/sign-up', 201).input(signUp).output(signedUp),
  /** `login_validate_error`, `login_error`, `too_many_requests` with `data.retryAfterS`, or why that person may not enter. */
  signInByEmail: account('POST', '/api/auth/sign-in/email')
    .input(z.object({ email: text(254), password: secret.default('') }))
    .output(signedIn),
  /**
   * Sends a code to the phone of somebody who exists (`user_does_not_exists`). `verificationId` goes with the code;
   * another code can be asked for after `retryAfterS` seconds. Without `work` the answer is `proof_of_work_needed`, with the
   * order for it as data.
   */
  requestPhoneCode: account('POST', '/api/v1/sign-in/phone/code')
    .input(phone)
    .output(z.object({ verificationId: z.string(), expiresAt: instant, retryAfterS: z.int() })),
  /**
   * `otp_validate_error` for what is no code, `wrong_login_code` for a wrong or old one, `too_many_requests` after five;
   * `phone_not_proven` with `data.proof` and the veiled `data.email` when nobody has shown yet whose the number is.
   */
  signInByPhone: account('POST', '/api/v1/sign-in/phone')
    .input(z.strictObject({ verificationId: token, otp: text(20) }))
    .output(signedIn),
  /**
   * After `phone_not_proven`: `proof` is from its data. The account's password, or the token of a link from its mailbox,
   * shows that the number belongs to it. `login_error`, `link_expired`, `too_many_requests`.
   */
  provePhone: account('POST', '/api/v1/sign-in/phone/prove')
    .input(z.strictObject({ proof: seal, password: secret.optional(), link: token.optional() }))
    .output(signedIn),
  /** Sends that link to the account's email; it leads to `/confirm-mobile?token=`, for the browser that has the `proof`. */
  mailPhoneProof: account('POST', '/api/v1/sign-in/phone/mail')
    .input(z.strictObject({ proof: seal }))
    .output(done),
  /** Ends the session that asks. */
  signOut: account('POST', '/api/auth/sign-out').output(done),
  /** Who asks; null when nobody is signed in. */
  session: account('GET', '/api/auth/session').output(
    z.object({ uid: id, role: z.enum(roles), approved: z.boolean() }).nullable(),
  ),

  /** Answers the same whether or not the email is known; a mail with a link to `/reset-password?token=` goes out when it is. */
  forgotPassword: account('POST', '/api/v1/password/forgot')
    .input(z.strictObject({ email: text(254) }))
    .output(done),
  /** `link_expired` for a used, old or unknown token. Ends all sessions of that person. */
  resetPassword: account('POST', '/api/v1/password/reset')
    .input(z.strictObject({ token, password: secret.default('') }))
    .output(done),
  /** Sets the first password of somebody an admin has added; the link leads to `/invitation?token=`. */
  acceptInvitation: account('POST', '/api/v1/invitation/accept')
    .input(z.strictObject({ token, password: secret.default('') }))
    .output(done),
  /** The link of a verification mail leads to `/verify-email?token=`. */
  verifyEmail: account('POST', '/api/v1/email/verify').input(z.strictObject({ token })).output(done),

  /** Needs the current password (`login_error`). All other sessions end; this one gets a new token and cookie. */
  changePassword: account('POST', '/api/v1/me/password')
    .input(z.strictObject({ current: secret.default(''), password: secret.default('') }))
    .output(signedIn),
  sessions: account('GET', '/api/v1/me/sessions').output(z.array(session)),
  endSession: account('DELETE', '/api/v1/me/sessions/{id}').input(z.object({ id })).output(done),
  /** Ends every session of this person, the one that asks too. */
  signOutEverywhere: account('POST', '/api/v1/me/sign-out-everywhere').output(done),

  /** Sends a link to the new address; nothing changes before it is opened. It leads to `/confirm-email?token=`. */
  requestEmailChange: account('POST', '/api/v1/me/email')
    .input(z.strictObject({ email: text(254) }))
    .output(done),
  /**
   * Needs a session of the account (`link_other_account`): whoever gets the mail may never have heard of it. `user_exists` when
   * somebody else has taken the address meanwhile.
   */
  confirmEmailChange: account('POST', '/api/v1/email/confirm').input(z.strictObject({ token })).output(done),
  /** Sends a code to the new number; nothing changes before it is given back. */
  requestMobileChange: account('POST', '/api/v1/me/mobile')
    .input(phone)
    .output(z.object({ verificationId: z.string(), expiresAt: instant, retryAfterS: z.int() })),
  confirmMobileChange: account('POST', '/api/v1/me/mobile/confirm')
    .input(z.strictObject({ verificationId: token, otp: text(20) }))
    .output(done),
}
