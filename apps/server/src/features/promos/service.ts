import type { Promo } from '@hansom/domain/fare/promo'
import { and, eq, gt, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { promosTable } from './table.ts'

export interface PromosService {
  /** By the code a rider types, whatever its case; null when there is none. Whether it may be used is for the caller. */
  findByCode(code: string, queries?: Queries): Promise<Promo | null>
  find(id: string, queries?: Queries): Promise<Promo | null>
  /** Takes one use. False, and nothing taken, when none is left or it is no longer valid at `now` (epoch ms). */
  reserve(tx: Transaction, id: string, now: number): Promise<boolean>
  /** Gives a use back; once for each that was taken. */
  release(tx: Transaction, id: string): Promise<void>
}

export function createPromosService(deps: { database: Database }): PromosService {
  const { db } = deps.database
  return {
    findByCode: async (code, queries = db) => {
      const [row] = await queries.select().from(promosTable).where(eq(promosTable.promo_name, code.trim()))
      return row ?? null
    },
    find: async (id, queries = db) => {
      const [row] = await queries.select().from(promosTable).where(eq(promosTable.id, id))
      return row ?? null
    },
    reserve: async (tx, id, now) => {
      const taken = await tx.db
        .update(promosTable)
        .set({ user_avail: sql`${promosTable.user_avail} + 1` })
        .where(
          and(
            eq(promosTable.id, id),
            lt(promosTable.user_avail, promosTable.promo_usage_limit),
            gte(promosTable.promo_validity, now),
          ),
        )
        .returning({ id: promosTable.id })
      return taken.length === 1
    },
    release: async (tx, id) => {
      await tx.db
        .update(promosTable)
        .set({ user_avail: sql`${promosTable.user_avail} - 1` })
        .where(and(eq(promosTable.id, id), gt(promosTable.user_avail, 0)))
    },
  }
}
