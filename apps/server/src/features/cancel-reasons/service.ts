import type { CancelReason } from '@hansom/contract/cancel-reasons'
import { liveTopics } from '@hansom/contract/live'
import { Refusal } from '@hansom/domain/error-keys'
import { asc } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { channelName } from '../../platform/live/topics.ts'
import { cancelReasonsTable } from './table.ts'

export type CancelReasonRow = typeof cancelReasonsTable.$inferSelect

export interface CancelReasonsService {
  /** In the order a rider sees them; `value` is the place in the list. */
  all(): Promise<CancelReason[]>
  /** As `all`. Throws no_cancel_reason while there is none. */
  list(): Promise<CancelReason[]>
  /** Fills an empty list; one that has entries stays as it is. */
  fillEmpty(tx: Transaction, labels: readonly string[]): Promise<void>
}

/** Everybody follows one list. */
export const cancelReasonsChannel = channelName(liveTopics.cancelReasons, 'everybody')

export function createCancelReasonsService({ database }: { database: Database }): CancelReasonsService {
  const { value, label, id } = cancelReasonsTable
  const all = async () => {
    const rows = await database.db.select({ label }).from(cancelReasonsTable).orderBy(asc(value), asc(id))
    return rows.map((row, place) => ({ label: row.label, value: place }))
  }
  return {
    all,
    list: async () => {
      const reasons = await all()
      if (reasons.length === 0) throw new Refusal('no_cancel_reason')
      return reasons
    },
    fillEmpty: async ({ db }, labels) => {
      const [found] = await db.select({ id }).from(cancelReasonsTable).limit(1)
      if (found !== undefined) return
      await db.insert(cancelReasonsTable).values(labels.map((text, place) => ({ label: text, value: place })))
    },
  }
}
