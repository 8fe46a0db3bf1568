import type { Database } from '../../../platform/database/database.ts'
import { eraseFromBookings } from '../../bookings/erase-from-bookings.ts'
import { eraseFromPayments, erasePaymentMessages } from '../../payments/own-attempt.ts'
import { eraseFromRefunds } from '../../refunds/service.ts'
import { eraseFromCashDesk } from '../../wallet/cash-desk.ts'
import { eraseFromWithdraws } from '../../withdraws/service.ts'
import { deletedUser, type EraseStep, eraseBy } from '../erase-user.ts'

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
  eraseBy(`delete from user_ratings where (booking_id, user_id) in
    (select booking_id, user_id from user_ratings where $2::text is not null and user_id = $1 limit $3)`),
  eraseFromWithdraws,
  erasePaymentMessages,
  eraseFromCashDesk,
  eraseFromRefunds,
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
