import type { CarTypeChanges, NewCarType } from '@hansom/contract/car-types'
import { carTypeProblems } from '@hansom/domain/car-types/check-car-type'
import { isBuiltInPicture } from '@hansom/domain/car-types/built-in-pictures'
import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { and, eq, isNull, max, ne, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { type CarTypeRow, adminView } from './service.ts'
import { carTypesTable } from './table.ts'

/** Adds a car type, at the end of the list unless a position is given. Throws invalid_input. */
export async function addCarType(tx: Transaction, given: NewCarType, now: number): Promise<CarTypeRow> {
  const carType = {
    extra_info: '',
    cancelSlab: [],
    image: null,
    ...given,
    position: given.position ?? (await placeAtEnd(tx.db)),
  }
  await refuseProblems(tx.db, carType, given.image)
  const [row] = await tx.db
    .insert(carTypesTable)
    .values({ ...carType, id: uuidv7(), createdAt: now })
    .returning()
    .catch(takenName)
  return row as CarTypeRow
}

/**
 * Changes a car type; bookings keep their copy. Throws not_found, conflict with the record in `data.current`,
 * invalid_input.
 */
export async function changeCarType(
  tx: Transaction,
  id: string,
  given: CarTypeChanges,
  version: number,
): Promise<{ before: CarTypeRow; after: CarTypeRow }> {
  const before = await lockCarType(tx, id)
  if (before.version !== version) throw new Refusal('conflict', { data: { current: adminView(before) } })
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  // Keeping its current picture is allowed; a URL from elsewhere is not.
  const picture = given.image === before.image ? null : given.image
  await refuseProblems(tx.db, { ...before, ...changes }, picture)
  const after = await storeCarType(tx, id, changes)
  return { before, after }
}

/** Archives a car type. Throws not_found, and car_type_in_use with the number of drivers and open bookings. */
export async function archiveCarType(tx: Transaction, id: string, now: number): Promise<CarTypeRow> {
  const row = await lockCarType(tx, id)
  const found = await tx.client.query<{ drivers: number; bookings: number }>(
    'select drivers, bookings from car_type_uses($1)',
    [id],
  )
  const { drivers = 0, bookings = 0 } = found.rows[0] ?? {}
  if (drivers + bookings > 0) throw new Refusal('car_type_in_use', { data: { drivers, bookings } })
  await storeCarType(tx, id, { archived_at: now })
  return row
}

/** Stores validated changes as a new version. */
export async function storeCarType(
  { db }: Transaction,
  id: string,
  changes: Partial<typeof carTypesTable.$inferInsert>,
): Promise<CarTypeRow> {
  const [row] = await db
    .update(carTypesTable)
    .set({ ...changes, version: sql`${carTypesTable.version} + 1` })
    .where(eq(carTypesTable.id, id))
    .returning()
    .catch(takenName)
  return row as CarTypeRow
}

/** Locks the row for update, which blocks concurrent bookings and drivers of this type. Throws not_found. */
export async function lockCarType({ db }: Transaction, id: string): Promise<CarTypeRow> {
  const [row] = await db
    .select()
    .from(carTypesTable)
    .where(and(eq(carTypesTable.id, id), isNull(carTypesTable.archived_at)))
    .for('update')
  if (row === undefined) throw new Refusal('not_found')
  return row
}

async function placeAtEnd(db: Queries): Promise<number> {
  const [row] = await db
    .select({ last: max(carTypesTable.position) })
    .from(carTypesTable)
    .where(isNull(carTypesTable.archived_at))
  return row?.last == null ? 0 : row.last + 1
}

/** `picture`: the new picture URL when it changes. */
async function refuseProblems(
  db: Queries,
  carType: Parameters<typeof carTypeProblems>[0] & { id?: string },
  picture: string | null | undefined,
): Promise<void> {
  const fields: FieldError[] = carTypeProblems(carType)
  if (picture && !isBuiltInPicture(picture)) fields.push({ field: 'image', error: 'not_in_list' })
  const [same] = await db
    .select({ id: carTypesTable.id })
    .from(carTypesTable)
    .where(
      and(
        sql`lower(${carTypesTable.name}) = lower(${carType.name})`,
        isNull(carTypesTable.archived_at),
        carType.id === undefined ? undefined : ne(carTypesTable.id, carType.id),
      ),
    )
  if (same !== undefined) fields.push({ field: 'name', error: 'taken' })
  if (fields.length > 0) throw new Refusal('invalid_input', { fields })
}

/** Two concurrent writes can pass the check above; the unique index refuses the second. */
function takenName(error: unknown): never {
  if (!isUniqueViolation(error, 'car_types_name')) throw error
  throw new Refusal('invalid_input', { fields: [{ field: 'name', error: 'taken' }] })
}
