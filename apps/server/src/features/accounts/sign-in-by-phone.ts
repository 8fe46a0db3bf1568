import type { Work } from '@hansom/domain/accounts/attempts'
import { Refusal } from '@hansom/domain/error-keys'
import { toE164 } from '@hansom/domain/users/contact'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { SettingsService } from '../settings/service.ts'
import { normalizePhone } from '../users/phone-number.ts'
import { usersTable } from '../users/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { Attempts, ProofOfWork, SignInLimits } from './attempts.ts'
import type { NumberProven } from './contact-changes.ts'
import { findCredential, lockPasswordHash, markEmailVerified, verifyCredential } from './credentials.ts'
import type { Links, Mails } from './mails.ts'
import type { PhoneCodes, SentCode } from './phone-codes.ts'
import { type Secrets, sealed, unsealed } from './secrets.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import {
  cookieText,
  type Devices,
  deviceSeconds,
  limitKeyOf,
  phoneDeviceCookie,
  type Visitor,
} from './visitor.ts'

export interface PhoneSignIn {
  /**
   * Sends a code. Throws forbidden when switched off, mobile_no_blank_error, proof_of_work_needed,
   * user_does_not_exists, too_many_requests.
   */
  request(
    phone: { phoneCode: string; mobile: string; work?: Work | undefined },
    visitor: Visitor,
  ): Promise<SentCode>
  /**
   * Throws the errors of `PhoneCodes.use`, why the user may not sign in, and phone_not_proven with a `proof` in its
   * data when the number is not yet verified for the account.
   */
  signIn(input: { verificationId: string; otp: string }, visitor: Visitor): Promise<SignedIn>
  /**
   * Verifies that the number belongs to the account, by its password or by a link from its mailbox, and signs in.
   * Throws login_error, link_expired, too_many_requests.
   */
  prove(
    input: { proof: string; password?: string | undefined; link?: string | undefined },
    visitor: Visitor,
  ): Promise<SignedIn>
  /** Sends that link. Throws link_expired, too_many_requests. */
  mailLink(proof: string, visitor: Visitor): Promise<void>
}

export interface PhoneSignInDeps {
  database: Database
  /** Dates the verification of a number. */
  clock: Clock
  realClock: Clock
  settings: SettingsService
  secrets: Secrets
  attempts: Attempts
  limits: SignInLimits
  work: ProofOfWork
  codes: PhoneCodes
  links: Links
  mails: Mails
  devices: Devices
  sessions: Sessions
  outbox: Pick<Outbox, 'write'>
  secure: boolean
  numberProven: NumberProven
}

/** An entered code for a number that is not yet verified. */
interface CodeGivenBack {
  uid: string
  mobile: string
}
const purpose = 'phone proof'
const proofLivesMs = 3_600_000

/** Signs in existing users by a code sent to their phone. */
export function createPhoneSignIn(deps: PhoneSignInDeps): PhoneSignIn {
  const { database, settings, secrets, realClock, codes, links, devices, sessions } = deps
  const refuseWhenOff = async () => {
    if (!(await settings.current()).MobileLoginEnabled) throw new Refusal('forbidden')
  }
  const isOf = ({ uid, mobile }: CodeGivenBack) => and(eq(usersTable.id, uid), eq(usersTable.mobile, mobile))
  const opened = (proof: string) => {
    const code = unsealed<CodeGivenBack>(secrets, purpose, proof, realClock.now())
    if (code === null) throw new Refusal('link_expired')
    return code
  }
  const enter = async (code: CodeGivenBack, visitor: Visitor): Promise<SignedIn> => {
    const { uid, mobile } = code
    const entered = await sessions.openIf(uid, visitor, async (tx) => {
      const still = await tx.db
        .select({ uid: usersTable.id })
        .from(usersTable)
        .where(and(isOf(code), isNotNull(usersTable.mobile_verified_at)))
        .for('share')
      if (still.length === 0) return false
      await deps.numberProven(tx, uid)
      return true
    })
    const remembered = devices.remember(visitor.phoneDevice ?? null, mobile)
    return {
      ...entered,
      cookies: [...entered.cookies, cookieText(phoneDeviceCookie, remembered, deviceSeconds, deps.secure)],
    }
  }
  /** Returns the hash of the account's password if the given one matches. Throws login_error. */
  const hashOfPassword = async ({ uid }: CodeGivenBack, password: string, visitor: Visitor) => {
    const [user] = await database.db
      .select({ email: usersTable.email })
      .from(usersTable)
      .where(eq(usersTable.id, uid))
    const guesser = { email: user?.email ?? '', ipKey: limitKeyOf(visitor), device: null }
    const find = () => findCredential(database.db, { uid })
    return (await verifyCredential(deps.limits, guesser, find, password)).password
  }

  return {
    request: async ({ phoneCode, mobile, work }, visitor) => {
      await refuseWhenOff()
      const typed = toE164(phoneCode, mobile)
      if (typed === null) throw new Refusal('mobile_no_blank_error')
      const e164 = normalizePhone(typed)
      await deps.work.check(e164, work)
      const retryAfterS = await codes.limit(e164, visitor)
      const [user] = await database.db
        .select({ uid: usersTable.id, locale: usersTable.locale })
        .from(usersTable)
        .where(and(eq(usersTable.mobile, e164), isNotNull(usersTable.email)))
      if (user === undefined) throw new Refusal('user_does_not_exists')
      return codes.send('sign_in', { ...user, mobile: e164, retryAfterS })
    },
    signIn: async ({ verificationId, otp }, visitor) => {
      await refuseWhenOff()
      const code = await codes.use('sign_in', verificationId, otp)
      await codes.releaseLimits(code.mobile, visitor)
      const [user] = await database.db
        .select({ email: usersTable.email, provenAt: usersTable.mobile_verified_at })
        .from(usersTable)
        .where(isOf(code))
      if (user === undefined) throw new Refusal('wrong_login_code')
      if (user.provenAt !== null) return enter(code, visitor)
      const proof = sealed(secrets, purpose, code, realClock.now() + proofLivesMs)
      throw new Refusal('phone_not_proven', { data: { proof, email: veiled(user.email ?? '') } })
    },
    prove: async ({ proof, password, link }, visitor) => {
      await refuseWhenOff()
      const code = opened(proof)
      const { uid } = code
      const hash = password === undefined ? null : await hashOfPassword(code, password, visitor)
      await database.withTransaction(async (tx) => {
        const [user] = await tx.db.select().from(usersTable).where(isOf(code)).for('update')
        if (user === undefined) throw new Refusal('link_expired')
        if (password !== undefined) {
          if ((await lockPasswordHash(tx, uid)) !== hash) throw new Refusal('login_error')
        } else {
          const sent = await links.use(tx, 'prove_mobile', link ?? '')
          const isTheirs =
            sent.uid === uid && (await markEmailVerified(tx, sessions, uid, sent.email, 'nothing'))
          if (!isTheirs) throw new Refusal('link_expired')
        }
        await tx.db
          .update(usersTable)
          .set({ mobile_verified_at: deps.clock.now(), version: sql`${usersTable.version} + 1` })
          .where(eq(usersTable.id, uid))
        await deps.outbox.write(tx, [userChangedEvent(uid)])
      })
      return enter(code, visitor)
    },
    mailLink: async (proof, visitor) => {
      await refuseWhenOff()
      const { uid } = opened(proof)
      await deps.attempts.attempt('mailsOfAddress', limitKeyOf(visitor))
      await deps.mails.refuseWhenFull()
      if (await deps.attempts.isAllowed('mailsOfPerson', 'prove_mobile', uid)) {
        await deps.mails.order({ kind: 'prove_mobile', uid })
      }
    },
  }
}

/** Masks an email address so that its owner still recognizes it. */
function veiled(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  return `${name.slice(0, 1)}•••@${domain}`
}
