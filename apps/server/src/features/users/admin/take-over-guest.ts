import { fullName } from '@hansom/domain/users/full-name'
import { eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { takeOverBookings } from '../../bookings/service.ts'
import { moveRefunds } from '../../refunds/service.ts'
import { mergeWallet } from '../../wallet/merge-wallet.ts'
import type { WalletService } from '../../wallet/service.ts'
import { moveWithdraws } from '../../withdraws/service.ts'
import { findGuest, lockGuest, lockNumber, mergeGuest } from '../guests.ts'
import { usersTable } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'

export interface TakeOverDeps {
  clock: Clock
  outbox: Pick<Outbox, 'write'>
  settings: { current(): Promise<{ code: string }> }
  wallet: Pick<WalletService, 'append'>
}

/**
 * Called in the transaction in which a user has proven a number: the guest with this number becomes the user, with all
 * bookings and the balance. Does nothing without a guest, and for users who are not riders.
 */
export async function takeOverGuest(deps: TakeOverDeps, tx: Transaction, uid: string): Promise<void> {
  const { outbox, settings, clock } = deps
  const [user] = await tx.db.select().from(usersTable).where(eq(usersTable.id, uid))
  if (user?.usertype !== 'rider' || user.email === null || user.mobile === null) return
  await lockNumber(tx, user.mobile)
  const id = await findGuest(tx, user.mobile)
  if (id === null) return
  const moved = { guest: id, user: uid, email: user.email, name: fullName(user) }
  const at = clock.now()
  // Bookings and withdrawals before users, as in every command on them.
  await takeOverBookings(deps, tx, moved, at)
  await moveWithdraws(deps, tx, moved)
  const guest = await lockGuest(tx, id, uid)
  if (guest === null) return
  // Added while this transaction waited for the guest's row.
  await takeOverBookings(deps, tx, moved, at)
  await moveWithdraws(deps, tx, moved)
  await moveRefunds(tx, id, uid)
  const { code } = await settings.current()
  await mergeWallet(deps, tx, { ...moved, balance: guest.walletBalance }, { at, currency: code })
  await mergeGuest(tx, guest, uid, at)
  await outbox.write(tx, [userChangedEvent(id), userChangedEvent(uid)])
}
