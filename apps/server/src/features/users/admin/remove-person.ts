import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { writeAudit } from '../../../platform/audit/audit.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { deleteAccount } from '../../accounts/create-account.ts'
import { giveUpAttemptsOf } from '../../payments/own-attempt.ts'
import { deletedEmail, deletedUser } from '../erase-user.ts'
import { savedAddressesTable, type UserRow, usersTable } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'
import { leaveFleet, lockOwn, lockPerson } from './lock-person.ts'
import { refusePendingObligations } from './pending-obligations.ts'

export interface Removal {
  outbox: Pick<Outbox, 'write'>
  now: number
  /** Schedules, in the transaction, the removal of the user's files and of every copy of the name. */
  erase(tx: Transaction, uid: string): Promise<void>
}

/**
 * Deletes a user's account for an admin. Throws last_admin, open_booking, unpaid_booking, open_withdrawal,
 * open_payment, open_debt.
 */
export async function removePerson(
  tx: Transaction,
  removal: Removal,
  viewer: Actor,
  id: string,
): Promise<void> {
  const { user, isLastAdmin } = await lockPerson(tx, viewer, id)
  await remove(tx, removal, user, isLastAdmin)
  const { usertype, approved, createdByAdmin } = user
  await writeAudit(tx, {
    by: viewer.id,
    at: removal.now,
    action: 'users.remove',
    kind: 'user',
    subject: id,
    label: deletedUser.name,
    before: { usertype, approved, createdByAdmin },
    after: null,
  })
}

/** Deletes the user's own account. Throws the same errors. */
export async function removeOwn(tx: Transaction, removal: Removal, uid: string): Promise<void> {
  const { user, isLastAdmin } = await lockOwn(tx, uid)
  await remove(tx, removal, user, isLastAdmin)
}

async function remove(
  tx: Transaction,
  { outbox: news, now, erase }: Removal,
  user: UserRow,
  isLastAdmin: boolean,
): Promise<void> {
  if (isLastAdmin) throw new Refusal('last_admin')
  await refusePendingObligations(tx, user.id)
  if (user.usertype === 'fleetadmin') await leaveFleet(tx, news, user.id)
  await anonymise(tx, user, now)
  await erase(tx, user.id)
  await news.write(tx, [userChangedEvent(user.id, true)])
}

/**
 * Removes a user from their account immediately: signed out, hidden, without name, contacts, location and sign-in
 * methods; email and mobile are free again. An anonymised row remains, which ledger and bookings still reference.
 * `eraseAccount` later removes copies of the name in bookings and other records; files are removed elsewhere. Call it
 * with the row locked for update; it changes a bounded number of rows.
 */
export async function anonymise(tx: Transaction, user: UserRow, now: number): Promise<void> {
  const { client, db } = tx
  const { id, email, mobile } = user
  await db
    .update(usersTable)
    .set({
      ...emptied,
      firstName: deletedUser.first,
      lastName: deletedUser.last,
      email: deletedEmail(id),
      referralId: `deleted-${id}`,
      approved: false,
      rating_sum: 0,
      rating_count: 0,
      driverActiveStatus: false,
      queue: false,
      deleted_at: now,
      version: sql`${usersTable.version} + 1`,
    })
    .where(eq(usersTable.id, id))
  await db.delete(savedAddressesTable).where(eq(savedAddressesTable.user_id, id))
  await deleteAccount(tx, user)
  await giveUpAttemptsOf(tx, id)
  await client.query('delete from outbox_messages where "to" in ($1, $2)', [email, mobile ?? email])
}

/** Every optional column without its value. */
const emptied = Object.fromEntries(
  Object.entries(getTableColumns(usersTable)).flatMap(([name, { notNull }]) =>
    notNull ? [] : [[name, null]],
  ),
)
