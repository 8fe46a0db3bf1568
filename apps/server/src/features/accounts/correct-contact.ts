import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Sms, SmsError } from '../../adapters/sms/port.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { UserRow } from '../users/table.ts'
import type { Mails, Messages } from './mails.ts'
import type { Sessions } from './sessions.ts'
import { authLinksTable, authUsersTable } from './table.ts'

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
  messages: Messages
  sessions: Sessions
}

const job = 'identity.contact-corrected'
const kind = 'contact_corrected'

export function createCorrectContact(deps: CorrectContactDeps): CorrectContact {
  const { jobs, sms, log, mails, messages, sessions } = deps
  const order = z.object({ to: z.string(), locale: z.string().nullable() })
  jobs.define(job, { schema: order, concurrency: 4 }, async ({ to, locale }) => {
    const { text } = await messages.write(kind, {}, locale)
    await sms.send({ to, text, kind, params: {} }).catch((error: unknown) => {
      if (!(error instanceof SmsError && error.permanent)) throw error
      log.warn({ err: error, kind }, 'text message could not be sent')
    })
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
      for (const to of [user.email, email]) await mails.order({ kind, uid: id, email: to }, tx)
    }
    if (mobile !== undefined && mobile !== user.mobile) {
      changes.mobile = mobile
      changes.mobile_verified_at = null
      for (const to of [user.mobile, mobile]) if (to) await jobs.send(job, { to, locale }, { tx })
    }
    if (Object.keys(changes).length > 0) await sessions.endAll(tx, id)
    return changes
  }
}
