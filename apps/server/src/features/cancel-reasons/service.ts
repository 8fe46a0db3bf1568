import type { CancelReason } from '@hansom/contract/cancel-reasons'
import { liveTopics } from '@hansom/contract/live'
import { asc } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { channelName } from '../../platform/live/topics.ts'
import { cancelReasonsTable } from './table.ts'

export type CancelReasonRow = typeof cancelReasonsTable.$inferSelect

export interface CancelReasonsService {
  /** In the order a rider sees them; `value` is the place in the list. */
  list(): Promise<CancelReason[]>
}

/** Everybody follows one list. */
export const cancelReasonsChannel = channelName(liveTopics.cancelReasons, 'everybody')

export function createCancelReasonsService({ database }: { database: Database }): CancelReasonsService {
  const { value, label, id } = cancelReasonsTable
  return {
    list: async () => {
      const rows = await database.db.select({ label }).from(cancelReasonsTable).orderBy(asc(value), asc(id))
      return rows.map((row, place) => ({ label: row.label, value: place }))
    },
  }
}
