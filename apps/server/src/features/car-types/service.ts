import type { AdminCarType, CarType, NewCarType } from '@hansom/contract/car-types'
import { carTypesTableSpec } from '@hansom/contract/car-types-table'
import type { AuditedRecord } from '@hansom/domain/audit/changed-fields'
import { carTypeProblems, isBuiltInPicture } from '@hansom/domain/car-types/check-car-type'
import { Refusal } from '@hansom/domain/error-keys'
import { filledTranslations } from '@hansom/domain/languages/translations'
import { plainAmount, unit } from '@hansom/domain/money/amount'
import { convertRate } from '@hansom/domain/settings/convert-units'
import { and, asc, eq, inArray, isNull, max, sql } from 'drizzle-orm'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import type { Os } from '../../platform/http/implement.ts'
import { registerShared, type TopicRegistry } from '../../platform/live/topics.ts'
import { type AdminTable, adminRoutes, adminTable } from '../../platform/tables/admin-table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { RateConverter } from '../settings/service.ts'
import { carTypesTable, carTypesTableColumns } from './table.ts'

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

interface CarTypesAdminDeps {
  database: Database
  clock: Clock
  carTypes: Pick<CarTypesService, 'list'>
  topics: TopicRegistry
  hub: { publish(channel: string, data: unknown): void }
}

/**
 * Car types as admins edit them; bookings keep their copy. Every change is published to all followers of the list.
 * Removal throws car_type_in_use while a type has drivers or open bookings.
 */
export interface CarTypesAdmin extends AdminTable<CarTypeRow, NewCarType, AdminCarType>, RateConverter {}

export function createCarTypesAdmin(deps: CarTypesAdminDeps): CarTypesAdmin {
  const { database, clock, carTypes, topics, hub } = deps
  const changed = registerShared(topics, hub, 'carTypes', async () =>
    (await carTypes.list()).map(carTypeView),
  )
  const table = adminTable<typeof carTypesTableSpec, CarTypeRow, NewCarType, AdminCarType>({
    database,
    clock,
    table: carTypesTable,
    spec: carTypesTableColumns,
    view: (rows) => rows.map(adminView),
    audit: {
      kind: 'car_type',
      routes: 'carTypes',
      label: (row) => row.name,
      fields: auditedFields,
    },
    complete: async (given, { db }) => ({
      extra_info: '',
      cancelSlab: [],
      parcelTypes: [],
      options: [],
      image: null,
      translations: {},
      ...given,
      position: given.position ?? (await placeAtEnd(db)),
    }),
    problems: (next, before) => {
      const fields = carTypeProblems(next)
      // Keeping the current picture is allowed; a URL from elsewhere is not.
      const picture = next.image === before?.image ? null : next.image
      if (picture && !isBuiltInPicture(picture)) fields.push({ field: 'image', error: 'not_in_list' })
      return fields
    },
    unique: {
      constraint: 'car_types_name',
      field: 'name',
      isSame: ({ name }) => sql`lower(${carTypesTable.name}) = lower(${name})`,
    },
    // The row is locked, which blocks new bookings and drivers of this type.
    refuseRemoval: async ({ client }, { id }) => {
      const found = await client.query<{ drivers: number; bookings: number }>(
        'select drivers, bookings from car_type_uses($1)',
        [id],
      )
      const { drivers = 0, bookings = 0 } = found.rows[0] ?? {}
      if (drivers + bookings > 0) throw new Refusal('car_type_in_use', { data: { drivers, bookings } })
    },
    changed,
  })
  return {
    ...table,
    convertRates: async (tx, { uid, now }, { toMile, decimal }) => {
      const { archived_at, id } = carTypesTable
      const rows = await tx.db
        .select()
        .from(carTypesTable)
        .where(isNull(archived_at))
        .orderBy(id)
        .for('update')
      for (const before of rows) {
        const rate_per_unit_distance = convertRate(before.rate_per_unit_distance, toMile, decimal)
        if (rate_per_unit_distance === before.rate_per_unit_distance) continue
        const after = await table.store(tx, before.id, { rate_per_unit_distance })
        await writeAudit(tx, {
          by: uid,
          at: now,
          action: 'settings.update',
          kind: 'car_type',
          subject: after.id,
          label: after.name,
          version: after.version,
          before: auditedFields(before),
          after: auditedFields(after),
        })
      }
      tx.afterCommit(changed)
    },
  }
}

function auditedFields(row: CarTypeRow): AuditedRecord {
  const { parcelTypes, options } = row
  return {
    ...adminView(row),
    parcelTypes: parcelTypes.length > 0 ? parcelTypes : null,
    options: options.length > 0 ? options : null,
    translations: filledTranslations(row.translations),
  }
}

async function placeAtEnd(db: Queries): Promise<number> {
  const [row] = await db
    .select({ last: max(carTypesTable.position) })
    .from(carTypesTable)
    .where(isNull(carTypesTable.archived_at))
  return row?.last == null ? 0 : row.last + 1
}

export function carTypesRoutes({ carTypes: os }: Os, carTypes: CarTypesService, admin: CarTypesAdmin) {
  return {
    list: os.list.handler(async () => (await carTypes.list()).map(carTypeView)),
    table: os.table.handler(({ input }) => admin.page(input)),
    ...adminRoutes(os, admin),
  }
}

const extrasCell = (field: 'parcelTypes' | 'options') => (row: AdminCarType) =>
  row[field].map(({ description, amount }) => `${description}: ${plainAmount(amount, 2)}`).join('; ')

/** CSV export of the car types. */
export const carTypesExport = (admin: CarTypesAdmin): TableExport =>
  tableExport<AdminCarType>({
    name: 'car-types',
    spec: carTypesTableSpec,
    roles: ['admin'],
    when: 'always',
    rows: (_person, query) => admin.all(query),
    columns: [
      { title: 'carTypes.name', kind: 'text', value: (row) => row.name },
      { title: 'carTypes.position_short', kind: 'number', value: (row) => row.position + 1 },
      { title: 'carTypes.seats', kind: 'number', only: 'taxi', value: (row) => row.seats },
      { title: 'carTypes.base_fare', kind: 'amount', value: (row) => row.base_fare },
      {
        title: 'carTypes.rate_per_unit_distance',
        kind: 'amount',
        value: (row) => row.rate_per_unit_distance,
      },
      { title: 'carTypes.rate_per_hour', kind: 'amount', value: (row) => row.rate_per_hour },
      { title: 'carTypes.min_fare', kind: 'amount', value: (row) => row.min_fare },
      {
        title: 'carTypes.convenience_fee_type',
        kind: { words: 'carTypes.fee_' },
        value: (row) => row.convenience_fee_type,
      },
      // A percentage may have more decimals than the currency.
      { title: 'carTypes.convenience_fees', kind: 'number', value: (row) => row.convenience_fees / unit },
      {
        title: 'carTypes.slabs',
        kind: 'text',
        value: (row) =>
          row.cancelSlab
            .map(({ minsDelayed, amount }) => `${minsDelayed}: ${plainAmount(amount, 2)}`)
            .join('; '),
      },
      { title: 'carTypes.parcelTypes', kind: 'text', only: 'delivery', value: extrasCell('parcelTypes') },
      { title: 'carTypes.options', kind: 'text', only: 'delivery', value: extrasCell('options') },
      { title: 'carTypes.extra_info', kind: 'text', value: (row) => row.extra_info },
    ],
  })
