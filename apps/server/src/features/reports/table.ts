import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'

/**
 * Changes that are not in the sums yet: a booking that starts to count adds a row in its transaction, one that stops
 * adds a negative one. Written by triggers on bookings; `fold_reports` folds the rows into the sums.
 */
export const reportDeltasTable = pgTable('report_deltas', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  tripdate: instant('tripdate').notNull(),
  driver: uuid('driver'),
  fleetadmin: uuid('fleetadmin'),
  rides: integer('rides').notNull(),
  cancelled: integer('cancelled').notNull(),
  trip_cost: amount('trip_cost').notNull(),
  convenience_fees: amount('convenience_fees').notNull(),
  discount_amount: amount('discount_amount').notNull(),
  driver_share: amount('driver_share').notNull(),
})

/** Sums of a calendar day in the city's time zone. `scope` is a fleet admin, or nil for all trips. */
export const reportDaysTable = pgTable(
  'report_days',
  {
    scope: uuid('scope').notNull(),
    day: date('day').notNull(),
    rides: bigint('rides', { mode: 'number' }).notNull(),
    cancelled: bigint('cancelled', { mode: 'number' }).notNull(),
    trip_cost: amount('trip_cost').notNull(),
    convenience_fees: amount('convenience_fees').notNull(),
    discount_amount: amount('discount_amount').notNull(),
    driver_share: amount('driver_share').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.day] })],
)

/**
 * Sums of a driver: each month (grain 2, period 202611), each year (grain 1, period 2026) and all time (grain 0, period
 * 0), so that every report level has stored rows. Sums that returned to zero remain as rows and are not shown.
 */
export const reportDriversTable = pgTable(
  'report_drivers',
  {
    scope: uuid('scope').notNull(),
    driver: uuid('driver').notNull(),
    grain: smallint('grain').notNull(),
    period: integer('period').notNull(),
    rides: bigint('rides', { mode: 'number' }).notNull(),
    driver_share: amount('driver_share').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.driver, t.grain, t.period] }),
    index('report_drivers_by_period')
      .on(t.scope, t.grain, t.period, t.driver_share, t.driver)
      .where(sql`${t.rides} > 0`),
    index('report_drivers_by_share')
      .on(t.scope, t.grain, t.driver_share, t.period, t.driver)
      .where(sql`${t.rides} > 0`),
    index('report_drivers_by_rides')
      .on(t.scope, t.grain, t.rides, t.driver_share, t.period, t.driver)
      .where(sql`${t.rides} > 0`),
  ],
)

/** One row: the time zone of the sums. */
export const reportStateTable = pgTable(
  'report_state',
  { only: boolean('only').primaryKey().default(true), timezone: text('timezone').notNull() },
  (t) => [check('report_state_only_row', sql`${t.only}`)],
)
