import { type SQL, sql } from 'drizzle-orm'
import { allTrips } from '../scope.ts'

/** Condition for new changes within a scope. */
export function newWithin(scope: string): SQL {
  return scope === allTrips ? sql`true` : sql`d.fleetadmin = ${scope}::uuid`
}

/** The time zone of the sums: looked up once per statement. */
export const zone = sql`(select timezone from report_state)`

/** The sums of a scope's days, plus a row for each new change; the caller groups them. */
export function daysOf(scope: string): SQL {
  return sql`(
    select day, rides, cancelled, trip_cost, convenience_fees, discount_amount, driver_share
      from report_days where scope = ${scope}::uuid
    union all
    select report_day(d.tripdate, ${zone}), d.rides, d.cancelled, d.trip_cost, d.convenience_fees,
        d.discount_amount, d.driver_share
      from report_deltas d where ${newWithin(scope)})`
}
