import type { DashboardView, EarningFigures, EarningRow, EarningSums } from '@hansom/contract/reports'
import { type BookingStatus, bookingStatuses } from '@hansom/domain/bookings/status'
import {
  addEarnings,
  dashboardDays,
  type Earnings,
  noEarnings,
  profitOf,
} from '@hansom/domain/reports/counted'
import { daysUpTo, monthName } from '@hansom/domain/time/city-time'
import { sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import { allTrips, daysOf, isWithin, type Periods } from './periods.ts'

type DayRow = Earnings & { day: string }
interface DashboardRow {
  timezone: string
  today: string
  month: Earnings
  total: Earnings
  days: DayRow[]
  open: Partial<Record<BookingStatus, number>>
}

/** The dashboard of a scope at `now` (epoch ms), read from one database snapshot. */
export async function readDashboard(
  queries: Queries,
  scope: string,
  now: number,
  seesDiscounts: boolean,
): Promise<DashboardView> {
  const isAll = scope === allTrips
  // Open bookings are few and counted directly; ended ones have sums.
  const { rows } = await queries.execute<{ found: DashboardRow }>(sql`
    with zone as materialized (
      select timezone, report_day(${now}::bigint, timezone) as today from report_state),
    days as materialized (
      select day, sum(rides)::bigint as rides, sum(cancelled)::bigint as cancelled,
          sum(trip_cost)::bigint as trip_cost, sum(convenience_fees)::bigint as convenience_fees,
          sum(discount_amount)::bigint as discount_amount, sum(driver_share)::bigint as driver_share
        from ${daysOf(scope)} found group by day)
    select json_build_object(
      'timezone', timezone,
      'today', today,
      'month', (${sumOf(sql`where date_trunc('month', day) = date_trunc('month', today)`)}),
      'total', (${sumOf(sql``)}),
      'days', (select coalesce(json_agg(days), '[]') from days where day > today - ${dashboardDays}::int and day <= today),
      'open', (select coalesce(json_object_agg(status, count), '{}') from (
        select status, count(*) as count from trip_figures b
          where status not in ('COMPLETE', 'CANCELLED') and ${isAll ? sql`true` : sql`b.fleetadmin = ${scope}::uuid`}
          group by status) counted)) as found
    from zone`)
  const found = rows[0]?.found
  if (found === undefined) throw new Error('report time zone is not set')
  const figures = (sum: Earnings) => figuresOf(sum, seesDiscounts)
  const byDay = new Map(found.days.map((day) => [day.day, day]))
  return {
    timezone: found.timezone,
    today: found.today,
    earnings: {
      today: figures(byDay.get(found.today) ?? noEarnings),
      month: figures(found.month),
      total: figures(found.total),
    },
    statuses: bookingStatuses.map((status) => ({ status, count: countOf(status, found) })),
    days: daysUpTo(found.today, dashboardDays).map((day) => ({
      day,
      ...figures(byDay.get(day) ?? noEarnings),
    })),
  }
}

const sumOf = (where: ReturnType<typeof sql>) => sql`
  select json_build_object('rides', coalesce(sum(rides), 0), 'cancelled', coalesce(sum(cancelled), 0),
    'trip_cost', coalesce(sum(trip_cost), 0), 'convenience_fees', coalesce(sum(convenience_fees), 0),
    'discount_amount', coalesce(sum(discount_amount), 0), 'driver_share', coalesce(sum(driver_share), 0))
  from days ${where}`

/** Counted trips are PAID or COMPLETE; those still PAID are counted directly. */
function countOf(status: BookingStatus, { total, open }: DashboardRow): number {
  if (status === 'CANCELLED') return total.cancelled
  if (status === 'COMPLETE') return total.rides - (open.PAID ?? 0)
  return open[status] ?? 0
}

function figuresOf(sum: Earnings, seesDiscounts: boolean): EarningFigures {
  return {
    trips: sum.rides,
    cancelled: sum.cancelled,
    tripCost: sum.trip_cost,
    driverShare: sum.driver_share,
    convenienceFee: sum.convenience_fees,
    profit: seesDiscounts ? profitOf(sum) : null,
  }
}

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
