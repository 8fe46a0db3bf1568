import type { DashboardView, EarningFigures, EarningRow, EarningSums } from '@hansom/contract/reports'
import { type BookingStatus, bookingStatuses } from '@hansom/domain/bookings/status'
import {
  addEarnings,
  dashboardDays,
  driversEarned,
  type Earnings,
  earningFields,
  netOf,
  noEarnings,
  profitOf,
} from '@hansom/domain/reports/counted'
import { daysUpTo, monthName } from '@hansom/domain/time/city-time'
import { sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import { allTrips, daysOf, hasFigures, isWithin, type Periods, sums } from './periods.ts'

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
  isAdmin: boolean,
): Promise<DashboardView> {
  const isAll = scope === allTrips
  // Open bookings are few and counted directly; ended ones have sums.
  const { rows } = await queries.execute<{ found: DashboardRow }>(sql`
    with zone as materialized (
      select timezone, report_day(${now}::bigint, timezone) as today from report_state),
    days as materialized (
      select day, ${sums} from ${daysOf(scope)} found group by day)
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
  const figures = (sum: Earnings) => figuresOf(sum, isAdmin)
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
  select json_build_object(${sql.raw(
    earningFields.map((field) => `'${field}', coalesce(sum(${field}), 0)`).join(', '),
  )}) from days ${where}`

/** Counted trips are PAID or COMPLETE; those still PAID are counted directly. */
function countOf(status: BookingStatus, { total, open }: DashboardRow): number {
  if (status === 'CANCELLED') return total.cancelled
  if (status === 'COMPLETE') return total.rides - (open.PAID ?? 0)
  return open[status] ?? 0
}

function figuresOf(sum: Earnings, isAdmin: boolean): EarningFigures {
  const forAdmin = (amount: number) => (isAdmin ? amount : null)
  return {
    trips: sum.rides,
    cancelled: sum.cancelled,
    tripCost: sum.trip_cost,
    driverShare: sum.driver_share,
    convenienceFee: sum.convenience_fees,
    cancellationFees: sum.cancellation_fees,
    waiting: sum.waiting_share + sum.waiting_fees,
    driverRefunds: sum.driver_refunds,
    driversEarned: driversEarned(sum),
    discountAmount: forAdmin(sum.discount_amount),
    profit: forAdmin(profitOf(sum)),
    writeOffs: forAdmin(sum.write_offs),
    platformRefunds: forAdmin(sum.platform_refunds),
    disputeFees: forAdmin(sum.dispute_fees),
    net: forAdmin(netOf(sum)),
    openRefunds: forAdmin(sum.open_refunds),
    bonuses: forAdmin(sum.bonuses),
    credits: forAdmin(sum.credits),
  }
}

/** The platform's earnings, newest month first, and their sum. Months without figures have no row. */
export async function readEarnings(
  queries: Queries,
  periods: Periods,
): Promise<{ items: EarningRow[]; total: EarningSums }> {
  const { rows } = await queries.execute<
    Earnings & { year: number; month: number } & Record<string, unknown>
  >(sql`
    select extract(year from day)::int as year, extract(month from day)::int as month, ${sums}
      from ${daysOf(allTrips)} found group by 1, 2 having ${hasFigures} order by 1 desc, 2 desc`)
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
    cancelled: earnings.cancelled,
    driverShare: earnings.driver_share,
    cancellationFees: earnings.cancellation_fees,
    waiting: earnings.waiting_share + earnings.waiting_fees,
    writeOffs: earnings.write_offs,
    platformRefunds: earnings.platform_refunds,
    driverRefunds: earnings.driver_refunds,
    disputeFees: earnings.dispute_fees,
    net: netOf(earnings),
    openRefunds: earnings.open_refunds,
    bonuses: earnings.bonuses,
    credits: earnings.credits,
  }
}
