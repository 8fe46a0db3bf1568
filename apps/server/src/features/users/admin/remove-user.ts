import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { balanceGivenUp } from '@hansom/domain/wallet/user-entries'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { writeAudit } from '../../../platform/audit/audit.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { deleteAccount } from '../../accounts/create-account.ts'
import { eraseFromBookings } from '../../bookings/erase-from-bookings.ts'
import { eraseFromChats } from '../../chats/own-chats.ts'
import { removeSenderData } from '../../deliveries/address-book.ts'
import { eraseDevices } from '../../devices/registry.ts'
import { forgetPreferences } from '../../messages/service.ts'
import { eraseFromPayments, erasePaymentMessages, giveUpAttemptsOf } from '../../payments/own-attempt.ts'
import { eraseFromRefunds } from '../../refunds/service.ts'
import { forgetContacts } from '../../safety/contacts.ts'
import { eraseFromSafety } from '../../safety/own-events.ts'
import { eraseFromCashDesk } from '../../wallet/cash-desk.ts'
import type { WalletService } from '../../wallet/service.ts'
import { eraseFromWithdraws } from '../../withdraws/service.ts'
import { deletedEmail, deletedUser, type EraseStep, eraseBy } from '../erase-user.ts'
import { alertMailsTable, savedAddressesTable, savedViewsTable, type UserRow, usersTable } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'
import { leaveFleet, lockOwn, lockUser, refusePendingObligations } from './lock-user.ts'

export interface Removal {
  outbox: Pick<Outbox, 'write'>
  now: number
  wallet: Pick<WalletService, 'append'>
  /** The ledger's currency. */
  currency: string
  /** Schedules, in the transaction, the removal of the user's files and of every copy of the name. */
  erase(tx: Transaction, uid: string): Promise<void>
}

/**
 * Deletes a user's account for an admin. Throws last_admin, open_booking, unpaid_booking, open_withdrawal,
 * open_payment, open_debt, open_balance. `giveUp` is the balance that is given up with the account.
 */
export async function removeUser(
  tx: Transaction,
  removal: Removal,
  actor: Actor,
  id: string,
  giveUp: Amount,
): Promise<void> {
  const { user, isLastAdmin, relation } = await lockUser(tx, actor, id)
  if (giveUp > 0 && relation !== 'admin') throw new Refusal('open_balance')
  await remove(tx, removal, user, { isLastAdmin, giveUp, by: actor.id })
  const { usertype, approved, createdByAdmin, walletBalance } = user
  await writeAudit(tx, {
    by: actor.id,
    at: removal.now,
    action: 'users.remove',
    kind: 'user',
    subject: id,
    label: deletedUser.name,
    before: { usertype, approved, createdByAdmin, ...(giveUp > 0 ? { walletBalance } : {}) },
    after: null,
  })
}

/** Deletes the user's own account. Throws the same errors. */
export async function removeOwn(
  tx: Transaction,
  removal: Removal,
  uid: string,
  giveUp: Amount,
): Promise<void> {
  const { user, isLastAdmin } = await lockOwn(tx, uid)
  await remove(tx, removal, user, { isLastAdmin, giveUp, by: uid })
}

async function remove(
  tx: Transaction,
  { outbox, now, wallet, currency, erase }: Removal,
  user: UserRow,
  { isLastAdmin, giveUp, by }: { isLastAdmin: boolean; giveUp: Amount; by: string },
): Promise<void> {
  if (isLastAdmin) throw new Refusal('last_admin')
  await refusePendingObligations(tx, user.id, giveUp)
  if (giveUp > 0) await wallet.append(tx, [balanceGivenUp(user.id, giveUp)], { at: now, currency, by })
  if (user.usertype === 'fleetadmin') await leaveFleet(tx, outbox, user.id)
  await anonymise(tx, user, now)
  await erase(tx, user.id)
  await outbox.write(tx, [userChangedEvent(user.id, true)])
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
  await db.delete(savedViewsTable).where(eq(savedViewsTable.user_id, id))
  await forgetPreferences(tx, id)
  await forgetContacts(tx, id)
  await db.delete(alertMailsTable).where(eq(alertMailsTable.user_id, id))
  await db.delete(savedAddressesTable).where(eq(savedAddressesTable.user_id, id))
  await removeSenderData(tx, id)
  await eraseDevices(tx, id)
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

export interface Erasure {
  database: Pick<Database, 'pool' | 'withTransaction'>
  /** Epoch ms, stored as the time of erasure. */
  now(): number
  /** Rows per transaction: few enough for the statement timeout and for concurrent transactions. */
  batch?: number
  /** Checked between two batches. */
  isOver?(): boolean
}

/**
 * Removes the copies of a deleted account's name and contacts, in batches of one transaction each. A batch searches for
 * remaining copies, so an interrupted run continues where it stopped and a repeated run changes nothing. Returns false
 * when `isOver` ended it early.
 */
export async function eraseAccount(erasure: Erasure, uid: string): Promise<boolean> {
  const { database, now, batch = 200, isOver = () => false } = erasure
  for (const step of steps) {
    for (;;) {
      if (isOver()) return false
      const changed = await database.withTransaction((tx) => step(tx, uid, batch))
      if (changed === 0) break
    }
  }
  await database.pool.query(
    'update users set erased_at = $2 where id = $1 and deleted_at is not null and erased_at is null',
    [uid, now()],
  )
  return true
}

const steps: readonly EraseStep[] = [
  ...eraseFromBookings,
  eraseBy(`delete from user_notifications where id in
    (select id from user_notifications where $2::text is not null and user_id = $1 limit $3)`),
  // Alerts of the back office name the user.
  eraseBy(`update user_notifications set params = params || jsonb_build_object('name', $2::text) where (id, at) in
    (select id, at from user_notifications where params ? 'person' and params ->> 'person' = ($1::uuid)::text
      and params ->> 'name' <> $2 limit $3)`),
  // Notifications of messages quote them.
  eraseBy(`update user_notifications set params = params - 'text' where (id, at) in
    (select id, at from user_notifications where $2::text is not null and params ? 'person' and params ? 'text'
      and params ->> 'person' = ($1::uuid)::text limit $3)`),
  ...eraseFromChats,
  eraseBy(`delete from user_ratings where (booking_id, user_id) in
    (select booking_id, user_id from user_ratings where $2::text is not null and user_id = $1 limit $3)`),
  eraseFromWithdraws,
  erasePaymentMessages,
  eraseFromCashDesk,
  eraseFromRefunds,
  ...eraseFromSafety,
  eraseFromPayments,
  async ({ client }, uid, limit) => {
    const reply = await client.query<{ changed: number }>('select erase_from_audit($1, $2, $3) as changed', [
      uid,
      deletedUser.name,
      limit,
    ])
    return reply.rows[0]?.changed ?? 0
  },
]
