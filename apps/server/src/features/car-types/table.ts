import { carTypesTableSpec as spec } from '@hansom/contract/car-types-table'
import type { ParcelExtra } from '@hansom/domain/car-types/check-car-type'
import type { CancelSlab } from '@hansom/domain/fare/fare'
import type { Translations } from '@hansom/domain/languages/translations'
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { amount, instant, isTranslations } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'

export const carTypesTable = pgTable(
  'car_types',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    image: text('image'),
    base_fare: amount('base_fare').notNull(),
    rate_per_unit_distance: amount('rate_per_unit_distance').notNull(),
    rate_per_hour: amount('rate_per_hour').notNull(),
    min_fare: amount('min_fare').notNull(),
    convenience_fees: bigint('convenience_fees', { mode: 'number' }).notNull(),
    convenience_fee_type: text('convenience_fee_type', { enum: ['flat', 'percentage'] }).notNull(),
    extra_info: text('extra_info').notNull().default(''),
    seats: integer('seats').notNull().default(4),
    cancelSlab: jsonb('cancel_slab').$type<CancelSlab[]>().notNull().default([]),
    parcelTypes: jsonb('parcel_types').$type<ParcelExtra[]>().notNull().default([]),
    options: jsonb('options').$type<ParcelExtra[]>().notNull().default([]),
    /** Position in the list that riders see. */
    position: integer('position').notNull().default(0),
    translations: jsonb('translations').$type<Translations<'name' | 'extra_info'>>().notNull().default({}),
    createdAt: instant('created_at').notNull(),
    /** When it was archived. The row stays because ended bookings reference it. */
    archived_at: instant('archived_at'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check(
      'car_types_not_negative',
      sql`${t.base_fare} >= 0 and ${t.rate_per_unit_distance} >= 0 and ${t.rate_per_hour} >= 0 and ${t.min_fare} >= 0 and ${t.convenience_fees} >= 0 and ${t.seats} > 0`,
    ),
    uniqueIndex('car_types_name').on(sql`lower(${t.name})`).where(sql`${t.archived_at} is null`),
    index('car_types_by_position').on(t.position.desc(), t.id.desc()),
    index('car_types_by_name').on(t.name.desc(), t.id.desc()),
    index('car_types_by_seats').on(t.seats.desc(), t.id.desc()),
    index('car_types_by_base_fare').on(t.base_fare.desc(), t.id.desc()),
    index('car_types_by_distance_rate').on(t.rate_per_unit_distance.desc(), t.id.desc()),
    index('car_types_by_hour_rate').on(t.rate_per_hour.desc(), t.id.desc()),
    index('car_types_by_min_fare').on(t.min_fare.desc(), t.id.desc()),
    index('car_types_by_age').on(t.createdAt.desc(), t.id.desc()),
    check('car_types_translations', isTranslations(t.translations)),
    check('car_types_fee_type', sql`${t.convenience_fee_type} in ('flat', 'percentage')`),
  ],
)

/** Sorts, filters and search of the admin table. */
export const carTypesTableColumns = {
  spec,
  columns: {
    id: carTypesTable.id,
    sorts: {
      position: { sql: carTypesTable.position, type: 'int8' },
      name: { sql: carTypesTable.name, type: 'text' },
      seats: { sql: carTypesTable.seats, type: 'int8' },
      base_fare: { sql: carTypesTable.base_fare, type: 'int8' },
      rate_per_unit_distance: { sql: carTypesTable.rate_per_unit_distance, type: 'int8' },
      rate_per_hour: { sql: carTypesTable.rate_per_hour, type: 'int8' },
      min_fare: { sql: carTypesTable.min_fare, type: 'int8' },
      createdAt: { sql: carTypesTable.createdAt, type: 'int8' },
    },
    filters: { convenience_fee_type: carTypesTable.convenience_fee_type },
    search: sql`search_fold(' ' || ${carTypesTable.name} || ' ' || ${carTypesTable.extra_info})`,
  },
} satisfies Table<typeof spec>
