import type { CarTypeChanges, NewCarType, AdminCarType } from '@hansom/contract/car-types'
import type { TableCount } from '@hansom/contract/tables'
import type { RouteName } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import { isNull, sql } from 'drizzle-orm'
import { type Images, type Storage, storedPath } from '../../adapters/storage/port.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type PagePart, readAll, readCount, readPage } from '../../platform/tables/read-table.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import { type CarTypeRow, type CarTypesService, carTypesChannel, carTypeView, adminView } from './service.ts'
import { carTypesTable } from './table.ts'
import { carTypesTableColumns } from './table-columns.ts'
import { addCarType, archiveCarType, changeCarType, lockCarType, storeCarType } from './write-car-type.ts'

/** Admin operations on car types. `by` is the admin's id. Every change is published to all followers of the list. */
export interface CarTypesAdmin {
  page(query: TableQuery): Promise<{ items: AdminCarType[]; next: string | null }>
  /** Returns all matching car types in batches. */
  all(query: TableQuery): AsyncGenerator<AdminCarType[]>
  count(query: TableQuery): Promise<TableCount>
  /** Throws invalid_input. */
  add(by: string, given: NewCarType): Promise<AdminCarType>
  /** Throws not_found, conflict, invalid_input. */
  change(by: string, id: string, changes: CarTypeChanges, version: number): Promise<AdminCarType>
  /** Throws not_found, car_type_in_use. */
  remove(by: string, id: string): Promise<void>
  /** Sets an uploaded picture, which is re-encoded. Throws not_found, conflict, ImageRefused, StorageError. */
  setImage(by: string, id: string, bytes: Uint8Array, version: number): Promise<AdminCarType>
}

export interface CarTypesAdminDeps {
  database: Database
  clock: Clock
  storage: Pick<Storage, 'put' | 'remove'>
  images: Images
  carTypes: Pick<CarTypesService, 'list'>
  hub: { publish(channel: string, data: unknown): void }
}

/** Pixels: twice the width of the largest place that shows a car. */
const pictureSide = 480

export function createCarTypesAdmin(deps: CarTypesAdminDeps): CarTypesAdmin {
  const { database, clock, storage, images, carTypes, hub } = deps
  const scope = { where: [isNull(carTypesTable.archived_at)], timezone: 'UTC' }

  // Publishes one after another, so that the newest list arrives last.
  let publishing = Promise.resolve()
  const publishList = () => {
    publishing = publishing
      .then(async () => hub.publish(carTypesChannel, (await carTypes.list()).map(carTypeView)))
      .catch(() => {})
  }

  /** Runs a change with its audit log entry and its live event. */
  const command = (
    by: string,
    action: RouteName,
    work: (tx: Transaction) => Promise<{ before: CarTypeRow | null; after: CarTypeRow | null }>,
  ) =>
    database.withTransaction(async (tx) => {
      const { before, after } = await work(tx)
      const subject = (after ?? before) as CarTypeRow
      await writeAudit(tx, {
        by,
        at: clock.now(),
        action,
        kind: 'car_type',
        subject: subject.id,
        label: subject.name,
        before: before && adminView(before),
        after: after && adminView(after),
      })
      tx.afterCommit(publishList)
      return adminView(subject)
    })

  const part = ({ where, orderBy, limit, position }: PagePart) =>
    database.db
      .select({ row: carTypesTable, position })
      .from(carTypesTable)
      .where(where)
      .orderBy(orderBy)
      .limit(limit)

  return {
    page: async (query) => {
      const { rows, next } = await readPage(carTypesTableColumns, query, scope, part)
      return { items: rows.map(({ row }) => adminView(row)), next }
    },
    async *all(query) {
      for await (const rows of readAll(carTypesTableColumns, query, scope, part)) {
        yield rows.map(({ row }) => adminView(row))
      }
    },
    count: (query) => readCount(database.db, carTypesTableColumns, query, scope, sql`${carTypesTable}`),
    add: (by, given) =>
      command(by, 'carTypes.create', async (tx) => ({
        before: null,
        after: await addCarType(tx, given, clock.now()),
      })),
    change: (by, id, changes, version) =>
      command(by, 'carTypes.update', (tx) => changeCarType(tx, id, changes, version)),
    remove: async (by, id) => {
      await command(by, 'carTypes.remove', async (tx) => ({
        before: await archiveCarType(tx, id, clock.now()),
        after: null,
      }))
    },
    setImage: async (by, id, bytes, version) => {
      const at = clock.now()
      const path = storedPath.carTypeImage(id, at)
      const { bytes: drawn, contentType } = await images.prepare(bytes, pictureSide)
      await storage.put(path, drawn, contentType)
      return command(by, 'carTypes.update', async (tx) => {
        const before = await lockCarType(tx, id)
        if (before.version !== version)
          throw new Refusal('conflict', { data: { current: adminView(before) } })
        const after = await storeCarType(tx, id, { image: imageAddress(id, at) })
        return { before, after }
      }).catch(async (error: unknown) => {
        await storage.remove(path)
        throw error
      })
    },
  }
}

/** The public URL of a picture. Every upload gets a new URL, so browsers can cache it indefinitely. */
function imageAddress(id: string, at: number): string {
  return `/api/v1/car-types/${id}/images/${at}`
}
