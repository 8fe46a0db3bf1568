import { passwordError } from '@hansom/domain/accounts/sign-up'
import { Refusal } from '@hansom/domain/error-keys'
import { isEmail } from '@hansom/domain/users/contact'
import { eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import { usersTable } from '../users/table.ts'
import type { Attempts } from './attempts.ts'
import { hashInQueue, hashQueue } from './create-account.ts'
import { findCredential, isPassword, markEmailVerified, setPassword } from './credentials.ts'
import type { LinkKind, Links, Mails } from './mails.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import { limitKeyOf, type Visitor } from './visitor.ts'

export interface Passwords {
  /**
   * Responds the same, after the same work, whether or not the email is known. Throws proper_email, too_many_requests,
   * message_limit.
   */
  forgot(email: string, visitor: Visitor): Promise<void>
  /**
   * Sets a password by a link. Ends all the user's sessions; their phone number must be verified again. Throws
   * link_expired, and the password's errors.
   */
  setByLink(kind: 'reset' | 'invitation', input: { token: string; password: string }): Promise<void>
  /** Throws login_error for a wrong current password. Ends all sessions and opens a new one. */
  change(
    actor: SessionActor,
    input: { current: string; password: string },
    visitor: Visitor,
  ): Promise<SignedIn>
  /**
   * For irreversible commands. Throws password_needed unless the password is correct or, without one, the session was
   * opened within the last ten minutes; too_many_requests.
   */
  reauthenticate(actor: SessionActor, password: string | undefined): Promise<void>
  /** Invites a user added by an admin to set a password: the email is sent when `tx` commits. */
  invite(tx: Transaction, uid: string): Promise<void>
  /** Counts a repeated invitation. Throws too_many_requests, message_limit. */
  limitInvitations(uid: string): Promise<void>
  verifyEmail(token: string): Promise<void>
}

export interface PasswordsDeps {
  database: Database
  attempts: Attempts
  links: Links
  mails: Mails
  sessions: Sessions
}

export function createPasswords(deps: PasswordsDeps): Passwords {
  const { database, attempts, links, mails, sessions } = deps

  const replace = async (tx: Transaction, uid: string, hash: string) => {
    await setPassword(tx, uid, hash)
    await links.drop(tx, 'reset', uid)
    await links.drop(tx, 'invitation', uid)
    await sessions.endAll(tx, uid)
  }

  return {
    forgot: async (email, visitor) => {
      if (!isEmail(email.trim())) throw new Refusal('proper_email')
      await attempts.attempt('mailsOfAddress', limitKeyOf(visitor))
      await mails.refuseWhenFull()
      const isLetThrough = await attempts.isAllowed('mailsOfPerson', 'reset', email.trim().toLowerCase())
      if (isLetThrough) await mails.order({ kind: 'reset', email: email.trim() })
    },
    setByLink: async (kind, { token, password }) => {
      checkPassword(password)
      // Checks the link first, because a hash takes a tenth of a second.
      await links.check(database.db, kind, token)
      const hash = await hashInQueue(password)
      await database.withTransaction(async (tx) => {
        const { uid, email } = await links.use(tx, kind, token)
        if (!(await markEmailVerified(tx, sessions, uid, email, 'nothing'))) throw new Refusal('link_expired')
        // Someone with the old password may have verified their own number with it.
        await tx.db.update(usersTable).set({ mobile_verified_at: null }).where(eq(usersTable.id, uid))
        await links.drop(tx, 'change_email', uid)
        await replace(tx, uid, hash)
        if (kind === 'reset') await mails.order({ kind: 'password_changed', uid }, tx)
      })
    },
    change: async ({ id }, { current, password }, visitor) => {
      await attempts.attempt('password', 'change', id)
      const credential = await findCredential(database.db, { uid: id })
      if (!(await hashQueue.run(id, () => isPassword(credential, current)))) throw new Refusal('login_error')
      await attempts.forget('password', 'change', id)
      checkPassword(password)
      const hash = await hashInQueue(password)
      await database.withTransaction(async (tx) => {
        await replace(tx, id, hash)
        await mails.order({ kind: 'password_changed', uid: id }, tx)
      })
      return sessions.open(id, visitor)
    },
    reauthenticate: async (actor, password) => {
      const { id } = actor
      if (password === undefined) {
        if (await sessions.isFresh(actor)) return
        throw new Refusal('password_needed')
      }
      await attempts.attempt('password', 'change', id)
      const credential = await findCredential(database.db, { uid: id })
      if (!(await hashQueue.run(id, () => isPassword(credential, password)))) {
        throw new Refusal('password_needed')
      }
      await attempts.forget('password', 'change', id)
    },
    invite: async (tx, uid) => mails.order({ kind: 'invitation', uid }, tx),
    limitInvitations: async (uid) => {
      await attempts.attempt('mailsOfPerson', 'invitation', uid)
      await mails.refuseWhenFull()
    },
    verifyEmail: async (token) => {
      await database.withTransaction(async (tx) => {
        const { uid, email } = await links.use(tx, 'verify_email' satisfies LinkKind, token)
        if (!(await markEmailVerified(tx, sessions, uid, email, 'password')))
          throw new Refusal('link_expired')
      })
    },
  }
}

/** Throws the errors of a newly chosen password. */
export function checkPassword(password: string): void {
  const error = passwordError(password)
  if (error !== null) throw new Refusal(error, { fields: [{ field: 'password', error }] })
}
