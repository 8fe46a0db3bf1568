import { Refusal } from '@hansom/domain/error-keys'
import { isEmail } from '@hansom/domain/users/contact'
import { passwordError } from '@hansom/domain/accounts/password'
import { eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Viewer } from '../../platform/http/request-context.ts'
import { usersTable } from '../users/table.ts'
import type { Attempts } from './attempts.ts'
import { hashedPassword, hashes } from './create-account.ts'
import { findCredential, isPassword, setPassword } from './credentials.ts'
import type { LinkKind, Links } from './links.ts'
import type { Mails } from './mails.ts'
import { proveEmail } from './prove-email.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import { limitAddress, type Visitor } from './visitor.ts'

export interface Passwords {
  /** Answers the same, after the same work, whether or not the e-mail is known. Throws proper_email, too_many_requests. */
  forgot(email: string, visitor: Visitor): Promise<void>
  /**
   * Sets a password by a link; all sessions of that person end, and a phone number has to be proven again. Throws
   * link_expired, and what is wrong with the password.
   */
  setByLink(kind: 'reset' | 'invitation', input: { token: string; password: string }): Promise<void>
  /** Throws login_error for another current password; all other sessions end, this one is opened anew. */
  change(viewer: Viewer, input: { current: string; password: string }, visitor: Visitor): Promise<SignedIn>
  /** Whether it is a person's password. Throws too_many_requests. */
  isPassword(uid: string, password: string): Promise<boolean>
  /** Invites somebody who was added by an admin to set a password: the mail goes out when `tx` is committed. */
  invite(tx: Transaction, uid: string): Promise<void>
  /** Counts an invitation that is sent once more. Throws too_many_requests. */
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
      await attempts.attempt('mailsOfAddress', limitAddress(visitor))
      const isLetThrough = await attempts.isLetThrough('mailsOfPerson', 'reset', email.trim().toLowerCase())
      if (isLetThrough) await mails.order({ kind: 'reset', email: email.trim() })
    },
    setByLink: async (kind, { token, password }) => {
      checkPassword(password)
      // A hash takes a tenth of a second: not for whoever has no link.
      await links.check(database.db, kind, token)
      const hash = await hashedPassword(password)
      await database.withTransaction(async (tx) => {
        const { uid, email } = await links.use(tx, kind, token)
        if (!(await proveEmail(tx, sessions, uid, email, 'nothing'))) throw new Refusal('link_expired')
        // Whoever had the old password may have proven a number of their own with it.
        await tx.db.update(usersTable).set({ mobile_verified_at: null }).where(eq(usersTable.id, uid))
        await links.drop(tx, 'change_email', uid)
        await replace(tx, uid, hash)
        if (kind === 'reset') await mails.order({ kind: 'password_changed', uid }, tx)
      })
    },
    change: async ({ uid }, { current, password }, visitor) => {
      await attempts.attempt('password', 'change', uid)
      const credential = await findCredential(database.db, { uid })
      if (!(await hashes.run(uid, () => isPassword(credential, current)))) throw new Refusal('login_error')
      await attempts.forget('password', 'change', uid)
      checkPassword(password)
      const hash = await hashedPassword(password)
      await database.withTransaction(async (tx) => {
        await replace(tx, uid, hash)
        await mails.order({ kind: 'password_changed', uid }, tx)
      })
      return sessions.open(uid, visitor)
    },
    isPassword: async (uid, password) => {
      await attempts.attempt('password', 'change', uid)
      const credential = await findCredential(database.db, { uid })
      const isRight = await hashes.run(uid, () => isPassword(credential, password))
      if (isRight) await attempts.forget('password', 'change', uid)
      return isRight
    },
    invite: async (tx, uid) => mails.order({ kind: 'invitation', uid }, tx),
    limitInvitations: async (uid) => {
      await attempts.attempt('mailsOfPerson', 'invitation', uid)
    },
    verifyEmail: async (token) => {
      await database.withTransaction(async (tx) => {
        const { uid, email } = await links.use(tx, 'verify_email' satisfies LinkKind, token)
        if (!(await proveEmail(tx, sessions, uid, email, 'password'))) throw new Refusal('link_expired')
      })
    },
  }
}

/** Throws what is wrong with a password somebody chooses. */
export function checkPassword(password: string): void {
  const error = passwordError(password)
  if (error !== null) throw new Refusal(error, { fields: [{ field: 'password', error }] })
}
