import { asc } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { cancelReasonsTable } from './table.ts'

export type CancelReasonRow = typeof cancelReasonsTable.$inferSelect

export interface CancelReasonsService {
  list(): Promise<CancelReasonRow[]>
}

export function createCancelReasonsService(deps: { database: Database }): CancelReasonsService {
  return {
    list: () => deps.database.db.select().from(cancelReasonsTable).orderBy(asc(cancelReasonsTable.value)),
  }
}
