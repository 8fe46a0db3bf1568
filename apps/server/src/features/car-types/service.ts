import type { AdminCarType, CarType } from '@hansom/contract/car-types'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import { carTypesTable } from './table.ts'

export type CarTypeRow = typeof carTypesTable.$inferSelect

export interface CarTypesService {
  /** In the order a rider sees them. */
  list(): Promise<CarTypeRow[]>
  /** Returns null for an unknown or archived car type. `queries` is the caller's open transaction, if any. */
  find(id: string, queries?: Queries): Promise<CarTypeRow | null>
  /** Returns names by id, also of archived car types. */
  names(ids: readonly string[]): Promise<Map<string, string>>
}

export function createCarTypesService(deps: { database: Database }): CarTypesService {
  const { db } = deps.database
  return {
    list: () =>
      db
        .select()
        .from(carTypesTable)
        .where(isNull(carTypesTable.archived_at))
        .orderBy(asc(carTypesTable.position), asc(carTypesTable.name)),
    find: async (id, queries = db) => {
      const [row] = await queries
        .select()
        .from(carTypesTable)
        .where(and(eq(carTypesTable.id, id), isNull(carTypesTable.archived_at)))
      return row ?? null
    },
    names: async (ids) => {
      if (ids.length === 0) return new Map()
      const { id, name } = carTypesTable
      const rows = await db
        .select({ id, name })
        .from(carTypesTable)
        .where(inArray(id, [...ids]))
      return new Map(rows.map((row) => [row.id, row.name]))
    },
  }
}

/** A car type as riders and drivers see it. */
export function carTypeView(row: CarTypeRow): CarType {
  const { position: _position, createdAt: _createdAt, version: _version, ...shown } = adminView(row)
  return shown
}

/** A car type as admins see it. */
export function adminView(row: CarTypeRow): AdminCarType {
  const { archived_at: _archived, ...shown } = row
  return shown
}
