import type { Promo } from '@hansom/domain/fare/promo'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import { promosTable } from './table.ts'

export interface PromosService {
  /**
   * Finds a promo by code, ignoring case, or null. The caller checks whether it may be used; uses are reserved and
   * released with the booking they belong to.
   */
  findByCode(code: string, queries?: Queries): Promise<Promo | null>
}

export function createPromosService(deps: { database: Database }): PromosService {
  const { db } = deps.database
  return {
    findByCode: async (code, queries = db) => {
      const [row] = await queries
        .select()
        .from(promosTable)
        .where(and(eq(promosTable.promo_name, code.trim()), isNull(promosTable.archived_at)))
      return row ?? null
    },
  }
}
