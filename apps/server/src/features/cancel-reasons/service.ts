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
  /** In the order riders see; `value` is the position in the list. */
  all(): Promise<CancelReason[]>
  /** Like `all`. Throws no_cancel_reason when the list is empty. */
  list(): Promise<CancelReason[]>
  /** Fills an empty list; leaves a list with entries unchanged. */
  fillEmpty(tx: Transaction, labels: readonly string[]): Promise<void>
}

/** One channel, shared by all followers. */
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
