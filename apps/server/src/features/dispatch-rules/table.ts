import { dispatchRulesTableSpec as spec } from '@hansom/contract/dispatch-rules-table'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { strategies } from '@hansom/domain/dispatch/strategies'
import { weekdays } from '@hansom/domain/time/weekdays'
import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'

export const dispatchRulesTable = pgTable(
  'dispatch_rules',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    priority: smallint('priority').notNull(),
    days: text('days', { enum: weekdays }).array().notNull(),
    from_hour: smallint('from_hour').notNull(),
    to_hour: smallint('to_hour').notNull(),
    area: jsonb('area').$type<PlacePoint>(),
    /** In the city's unit. */
    area_radius: doublePrecision('area_radius').notNull(),
    strategy: text('strategy', { enum: strategies }).notNull(),
    waveSize: smallint('wave_size').notNull(),
    waveSeconds: smallint('wave_seconds').notNull(),
    /** In the city's unit. */
    firstRadius: doublePrecision('first_radius').notNull(),
    batchSeconds: smallint('batch_seconds').notNull(),
    ageing: smallint('ageing').notNull(),
    fairness: smallint('fairness').notNull(),
    soonFreeMinutes: smallint('soon_free_minutes').notNull(),
    createdAt: instant('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [index('dispatch_rules_by_priority').on(t.priority, t.id)],
)

/** Sorts, filters and search of the rules for admins. */
export const dispatchRulesTableColumns = {
  spec,
  columns: {
    id: dispatchRulesTable.id,
    sorts: {
      priority: { sql: dispatchRulesTable.priority, type: 'int8' },
      name: { sql: dispatchRulesTable.name, type: 'text' },
    },
    filters: { strategy: dispatchRulesTable.strategy },
    search: sql`search_fold(' ' || ${dispatchRulesTable.name})`,
  },
} satisfies Table<typeof spec>
