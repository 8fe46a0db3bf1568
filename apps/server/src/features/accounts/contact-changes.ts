import type { Work } from '@hansom/domain/accounts/attempts'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import { changeableContacts, isEmail, toE164 } from '@hansom/domain/users/contact'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Sms } from '../../adapters/sms/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { Writers } from '../messages/write-messages.ts'
import { normalizePhone } from '../users/phone-number.ts'
import { type UserRow, usersTable } from '../users/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { Attempts, ProofOfWork } from './attempts.ts'
import type { Links, Mails } from './mails.ts'
import type { PhoneCodes, SentCode } from './phone-codes.ts'
import type { Sessions } from './sessions.ts'
import { authLinksTable, authSessionsTable, authUsersTable } from './table.ts'
import { limitKeyOf, type Visitor } from './visitor.ts'

/** Stores a new email address or phone number once its owner has confirmed it. */
export interface ContactChanges {
  /** Throws proper_email, forbidden for accounts that sign in by email, user_exists. */
  requestEmail(uid: string, email: string, visitor: Visitor): Promise<void>
  /**
   * Must be called by the account's owner: otherwise the owner of an address could attach it to a stranger's account
   * with one click. Throws link_expired, link_other_account, user_exists.
   */
  confirmEmail(uid: string, token: string): Promise<void>
  /**
   * Accepts a new number, or the unverified current one. Throws mobile_no_blank_error, proof_of_work_needed, forbidden,
   * user_exists.
   */
  requestMobile(
    uid: string,
    phone: { phoneCode: string; mobile: string; work?: Work | undefined },
    visitor: Visitor,
  ): Promise<SentCode>
  /** Throws the errors of `PhoneCodes.use`, forbidden, user_exists, and not_logged_in when the session has ended. */
  confirmMobile(actor: SessionActor, input: { verificationId: string; otp: string }): Promise<void>
}

export interface ContactChangesDeps {
  database: Database
  outbox: Outbox
  attempts: Attempts
  links: Links
  mails: Mails
  codes: PhoneCodes
  work: ProofOfWork
  clock: Clock
  numberProven: NumberProven
}

/** Called in the transaction in which a user has proven their number: they take over the guest who has it. */
export type NumberProven = (tx: Transaction, uid: string) => Promise<void>

export function createContactChanges(deps: ContactChangesDeps): ContactChanges {
  const { database, outbox, attempts, links, mails, codes } = deps

  const userOf = async (uid: string) => {
    const [user] = await database.db.select().from(usersTable).where(eq(usersTable.id, uid))
    if (user === undefined) throw new Refusal('not_found')
    return user
  }
  const refuseTaken = async (contact: 'email' | 'mobile', value: string) => {
    const taken = await database.db
      .select({ id: usersTable.id })
      .from(usersTable)
      .where(and(eq(usersTable[contact], value), isNotNull(usersTable.email)))
    if (taken.length > 0) throw new Refusal('user_exists')
  }
  const store = async (
    tx: Transaction,
    uid: string,
    change: { email: string } | { mobile: string; mobile_verified_at: number },
  ) => {
    await tx.db
      .update(usersTable)
      .set({ ...change, version: sql`${usersTable.version} + 1` })
      .where(eq(usersTable.id, uid))
    await outbox.write(tx, [userChangedEvent(uid)])
  }

  return {
    requestEmail: async (uid, text, visitor) => {
      const email = text.trim().toLowerCase()
      if (!isEmail(email)) throw fieldRefusal('proper_email', 'email')
      if (!changeableContacts(await userOf(uid)).email) throw new Refusal('forbidden')
      await attempts.attempt('mailsOfAddress', limitKeyOf(visitor))
      await attempts.attempt('mailsOfPerson', 'change_email', uid)
      await mails.refuseWhenFull()
      await refuseTaken('email', email)
      await mails.order({ kind: 'change_email', uid, email })
    },
    confirmEmail: (uid, token) =>
      orExists(() =>
        database.withTransaction(async (tx) => {
          const { uid: owner, email } = await links.use(tx, 'change_email', token)
          if (owner !== uid) throw new Refusal('link_other_account')
          const [before] = await tx.db
            .select({ email: usersTable.email })
            .from(usersTable)
            .where(eq(usersTable.id, uid))
            .for('update')
          await store(tx, uid, { email })
          await tx.db
            .update(authUsersTable)
            .set({ email, emailVerified: true, updatedAt: new Date() })
            .where(eq(authUsersTable.id, uid))
          // Links sent to the old address must no longer open the account.
          await links.drop(tx, 'reset', uid)
          await links.drop(tx, 'verify_email', uid)
          if (before?.email) await mails.order({ kind: 'email_changed', uid, email: before.email }, tx)
        }),
      ),
    requestMobile: async (uid, { phoneCode, mobile, work }, visitor) => {
      const typed = toE164(phoneCode, mobile)
      if (typed === null) throw fieldRefusal('mobile_no_blank_error', 'mobile')
      const e164 = normalizePhone(typed)
      const user = await userOf(uid)
      const isOwn = user.mobile === e164
      if (!isOwn && !changeableContacts(user).mobile) throw new Refusal('forbidden')
      await deps.work.check(e164, work)
      const retryAfterS = await codes.limit(e164, visitor)
      if (!isOwn) await refuseTaken('mobile', e164)
      return codes.send('change_mobile', { uid, mobile: e164, locale: user.locale, retryAfterS })
    },
    confirmMobile: async ({ id, sessionId }, { verificationId, otp }) => {
      const { mobile } = await codes.use('change_mobile', verificationId, otp, id)
      await orExists(() =>
        database.withTransaction(async (tx) => {
          const [user] = await tx.db.select().from(usersTable).where(eq(usersTable.id, id)).for('update')
          // When two numbers were requested, confirming the first can end the right to change it.
          const mayHave = user && (user.mobile === mobile || changeableContacts(user).mobile)
          if (!mayHave) throw new Refusal('forbidden')
          // A password reset ends the session and any change it started.
          const session = await tx.db
            .select({ id: authSessionsTable.id })
            .from(authSessionsTable)
            .where(eq(authSessionsTable.id, sessionId))
          if (session.length === 0) throw new Refusal('not_logged_in')
          await store(tx, id, { mobile, mobile_verified_at: deps.clock.now() })
          await deps.numberProven(tx, id)
        }),
      )
    },
  }
}

const fieldRefusal = (key: ErrorKey, field: string) => new Refusal(key, { fields: [{ field, error: key }] })

async function orExists(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw isUniqueViolation(error) ? new Refusal('user_exists') : error
  }
}

/** An email address or phone number corrected by an admin; null removes the number. */
export interface CorrectedContacts {
  email?: string | undefined
  mobile?: string | null | undefined
}

/**
 * Applies an admin's correction. The new contact is unverified, the user's sessions and emailed links end, and the old
 * and the new contact are notified. Returns the changes for the caller to store.
 */
export type CorrectContact = (
  tx: Transaction,
  user: UserRow,
  corrected: CorrectedContacts,
) => Promise<Partial<UserRow>>

export interface CorrectContactDeps {
  jobs: Jobs
  sms: Sms
  log: Log
  mails: Mails
  writers: Writers
  sessions: Sessions
}

const job = 'identity.contact-corrected'
const kind = 'contact_corrected'

export function createCorrectContact(deps: CorrectContactDeps): CorrectContact {
  const { jobs, sms, log, mails, writers, sessions } = deps
  const order = z.object({ to: z.string(), locale: z.string().nullable() })
  jobs.define(job, { schema: order, concurrency: 4 }, async ({ to, locale }) => {
    const text = (await writers.writerFor(locale)).sms(kind, {})
    await sms.send({ to, text, kind, params: {} }).catch(ignorePermanent(log, kind))
  })

  return async (tx, user, { email, mobile }) => {
    const { id, locale } = user
    const changes: Partial<UserRow> = {}
    if (email !== undefined && email !== user.email) {
      changes.email = email
      await tx.db
        .update(authUsersTable)
        .set({ email, emailVerified: false, updatedAt: new Date() })
        .where(eq(authUsersTable.id, id))
      await tx.db.delete(authLinksTable).where(eq(authLinksTable.user_id, id))
      for (const to of [user.email, email]) if (to) await mails.order({ kind, uid: id, email: to }, tx)
    }
    if (mobile !== undefined && mobile !== user.mobile) {
      changes.mobile = mobile
      changes.mobile_verified_at = null
      // A guest knows nothing of an account.
      const notified = user.email === null ? [] : [user.mobile, mobile]
      for (const to of notified) if (to) await jobs.send(job, { to, locale }, { tx })
    }
    if (Object.keys(changes).length > 0) await sessions.endAll(tx, id)
    return changes
  }
}
