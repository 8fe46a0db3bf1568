import type { EarningRow, EarningSums } from '@hansom/contract/reports'
import { monthName } from '@hansom/domain/reports/calendar'
import { addEarnings, type Earnings, noEarnings, profitOf } from '@hansom/domain/reports/counted'
import { sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import { allTrips } from '../scope.ts'
import { daysOf } from './days.ts'
import { isWithin, type Periods } from './periods.ts'

/** The platform's earnings, newest month first, and their sum. Months without trips have no row. */
export async function readEarnings(
  queries: Queries,
  periods: Periods,
): Promise<{ items: EarningRow[]; total: EarningSums }> {
  const { rows } = await queries.execute<
    Earnings & { year: number; month: number } & Record<string, unknown>
  >(sql`
    select extract(year from day)::int as year, extract(month from day)::int as month, sum(rides)::bigint as rides,
        sum(cancelled)::bigint as cancelled, sum(trip_cost)::bigint as trip_cost,
        sum(convenience_fees)::bigint as convenience_fees, sum(discount_amount)::bigint as discount_amount,
        sum(driver_share)::bigint as driver_share
      from ${daysOf(allTrips)} found group by 1, 2 having sum(rides) > 0 order by 1 desc, 2 desc`)
  const asked = rows.filter(({ year, month }) => isWithin(periods, year, month))
  return {
    items: asked.map((row) => ({
      year: row.year,
      month: row.month,
      monthsName: monthName(row.month),
      ...sumsOf(row),
    })),
    total: sumsOf(asked.reduce<Earnings>(addEarnings, noEarnings)),
  }
}

function sumsOf(earnings: Earnings): EarningSums {
  return {
    total_rides: earnings.rides,
    tripCost: earnings.trip_cost,
    rideCost: earnings.trip_cost - earnings.convenience_fees,
    convenienceFee: earnings.convenience_fees,
    discountAmount: earnings.discount_amount,
    profit: profitOf(earnings),
  }
}
