import type { CarType } from '@hansom/contract/car-types'
import { asc, eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import { carTypesTable } from './table.ts'

export type CarTypeRow = typeof carTypesTable.$inferSelect

export interface CarTypesService {
  /** In the order a rider sees them. */
  list(): Promise<CarTypeRow[]>
  /** Null when there is none. `queries` is the caller's open transaction, if it has one. */
  find(id: string, queries?: Queries): Promise<CarTypeRow | null>
}

export function createCarTypesService(deps: { database: Database }): CarTypesService {
  const { db } = deps.database
  return {
    list: () => db.select().from(carTypesTable).orderBy(asc(carTypesTable.position), asc(carTypesTable.name)),
    find: async (id, queries = db) => {
      const [row] = await queries.select().from(carTypesTable).where(eq(carTypesTable.id, id))
      return row ?? null
    },
  }
}

/** A car type as everybody sees it. */
export function carTypeView(row: CarTypeRow): CarType {
  const { position: _position, createdAt: _createdAt, version: _version, ...shown } = row
  return shown
}
