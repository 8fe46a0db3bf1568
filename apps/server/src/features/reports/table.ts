import type { Outcome } from '@hansom/domain/reports/operations'
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
import { bookingsTable } from '../bookings/table.ts'

/** The figures beside the trips' own, in the order of the sums; `domain/reports` defines them. */
const moneyFigures = () => ({
  cancellation_fees: amount('cancellation_fees').notNull().default(0),
  waiting_share: amount('waiting_share').notNull().default(0),
  waiting_fees: amount('waiting_fees').notNull().default(0),
  write_offs: amount('write_offs').notNull().default(0),
  platform_refunds: amount('platform_refunds').notNull().default(0),
  driver_refunds: amount('driver_refunds').notNull().default(0),
  open_refunds: amount('open_refunds').notNull().default(0),
  dispute_fees: amount('dispute_fees').notNull().default(0),
  bonuses: amount('bonuses').notNull().default(0),
  driver_bonuses: amount('driver_bonuses').notNull().default(0),
  credits: amount('credits').notNull().default(0),
})

/**
 * Changes that are not in the sums yet: a record that starts to count adds a row in its transaction, one that stops
 * adds a negative one. Written by triggers on bookings, dues, refunds and ledger legs; `fold_reports` folds the rows
 * into the sums. `tripdate` is the time that decides the day.
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
  ...moneyFigures(),
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
    ...moneyFigures(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.day] })],
)

/**
 * Sums of a driver: each month (grain 2, period 202611), each year (grain 1, period 2026) and all time (grain 0, period
 * 0), so that every report level has stored rows. `driver_share` and `cancellation_fees` are without what riders have
 * not paid yet. Sums that returned to zero remain as rows and are not shown.
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
    cancellation_fees: amount('cancellation_fees').notNull().default(0),
    driver_bonuses: amount('driver_bonuses').notNull().default(0),
    driver_refunds: amount('driver_refunds').notNull().default(0),
    earned: amount('earned')
      .notNull()
      .generatedAlwaysAs(sql`driver_share + cancellation_fees + driver_bonuses - driver_refunds`),
    shown: boolean('shown')
      .notNull()
      .generatedAlwaysAs(
        sql`rides <> 0 or driver_share <> 0 or cancellation_fees <> 0 or driver_bonuses <> 0 or driver_refunds <> 0`,
      ),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.driver, t.grain, t.period] }),
    index('report_drivers_by_period')
      .on(t.scope, t.grain, t.period, t.driver_share, t.driver)
      .where(sql`${t.shown}`),
    index('report_drivers_by_share')
      .on(t.scope, t.grain, t.driver_share, t.period, t.driver)
      .where(sql`${t.shown}`),
    index('report_drivers_by_rides')
      .on(t.scope, t.grain, t.rides, t.driver_share, t.period, t.driver)
      .where(sql`${t.shown}`),
    index('report_drivers_by_earned')
      .on(t.scope, t.grain, t.earned, t.period, t.driver)
      .where(sql`${t.shown}`),
  ],
)

/** One row: the time zone of the sums, and the version of the figures that they contain. */
export const reportStateTable = pgTable(
  'report_state',
  {
    only: boolean('only').primaryKey().default(true),
    timezone: text('timezone').notNull(),
    figures: smallint('figures').notNull().default(1),
  },
  (t) => [check('report_state_only_row', sql`${t.only}`)],
)

/**
 * What the operator's figures need of a booking: narrow rows, one for each booking with requests or an end. Written by
 * triggers on bookings and requests; without an outcome while the booking is open. Times are ms from the booking.
 */
export const reportOperationsTable = pgTable(
  'report_operations',
  {
    booking_id: uuid('booking_id')
      .primaryKey()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    tripdate: instant('tripdate'),
    fleetadmin: uuid('fleetadmin'),
    car_type_id: uuid('car_type_id'),
    area: integer('area'),
    outcome: text('outcome').$type<Outcome>(),
    reason: text('reason'),
    offers: integer('offers').notNull().default(0),
    acceptances: integer('acceptances').notNull().default(0),
    accept_ms: bigint('accept_ms', { mode: 'number' }),
    pickup_ms: bigint('pickup_ms', { mode: 'number' }),
    arrived: boolean('arrived').notNull().default(false),
  },
  (t) => [
    index('report_operations_recent').on(t.tripdate).where(sql`${t.outcome} is not null`),
    index('report_operations_fleet').on(t.fleetadmin, t.tripdate).where(sql`${t.outcome} is not null`),
    index('report_operations_area').on(t.area, t.tripdate).where(sql`${t.outcome} is not null`),
    index('report_operations_reason').on(t.reason, t.tripdate).where(sql`${t.outcome} <> 'completed'`),
    index('report_operations_outcome').on(t.outcome, t.tripdate).where(sql`${t.outcome} <> 'completed'`),
  ],
)
