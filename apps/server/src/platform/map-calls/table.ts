import type { MapCallKind, MapService } from '@hansom/domain/geo/map-services'
import { bigint, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** Calls to outside map services by the city's day. `cost` is in micro US dollars, by the prices of the day. */
export const mapCallsTable = pgTable(
  'map_calls',
  {
    day: date('day', { mode: 'string' }).notNull(),
    service: text('service').$type<MapService>().notNull(),
    kind: text('kind').$type<MapCallKind>().notNull(),
    calls: integer('calls').notNull(),
    failures: integer('failures').notNull(),
    cost: bigint('cost', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.service, t.kind] })],
)
