import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { UserRow } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'
import { anonymise, deletedUser } from './anonymise.ts'
import { leaveFleet } from './leave-fleet.ts'
import { lockOwn, lockPerson } from './lock-person.ts'
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
