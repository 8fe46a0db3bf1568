import { bookingStatuses } from '@hansom/domain/bookings/status'
import { z } from 'zod'
import { base } from './base.ts'
import { driverEarningSteps, driverEarningsTable, earningsTable } from './reports-table.ts'
import { amount, id, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** A calendar day in the city's time zone: `2026-11-21`. */
const calendarDay = z.iso.date()

/** The earnings of a range of days: bookings PAID or COMPLETE, by tripdate. */
export const earningFigures = z.object({
  /** Counted trips. */
  trips: z.int(),
  /** Cancelled bookings of these days; they earn nothing. */
  cancelled: z.int(),
  tripCost: amount,
  driverShare: amount,
  /** Gross earnings: the sum of the convenience fees. */
  convenienceFee: amount,
  /** convenienceFee minus the discounts; null for viewers who may not see discounts. */
  profit: amount.nullable(),
})
export type EarningFigures = z.infer<typeof earningFigures>

export const dashboardView = z.object({
  /** The time zone of days and months, IANA name. */
  timezone: z.string(),
  today: calendarDay,
  earnings: z.object({ today: earningFigures, month: earningFigures, total: earningFigures }),
  /** Number of bookings in each status, in the order of a trip. */
  statuses: z.array(z.object({ status: z.enum(bookingStatuses), count: z.int() })),
  /** The last thirty days including today, oldest first, including days without trips. */
  days: z.array(earningFigures.extend({ day: calendarDay })),
})
export type DashboardView = z.infer<typeof dashboardView>

const span = z.object({
  /** Null in rows over all years. */
  year: z.int().nullable(),
  /** 1 to 12; null in rows over entire years. */
  month: z.int().min(1).max(12).nullable(),
})
/** The month in English, for exports to other programs; null in rows over entire years. */
const monthsName = z.string().nullable()

export const driverEarning = span.extend({
  monthsName,
  driver: id,
  driverName: z.string(),
  driverVehicleNo: z.string().nullable(),
  total_rides: z.int(),
  driverShare: amount,
})
export type DriverEarning = z.infer<typeof driverEarning>

export const driverTotal = span.extend({ monthsName, total_rides: z.int(), driverShare: amount })
export type DriverTotal = z.infer<typeof driverTotal>

const step = z.enum(driverEarningSteps).optional()

const earningSums = z.object({
  total_rides: z.int(),
  tripCost: amount,
  /** tripCost minus convenienceFee. */
  rideCost: amount,
  convenienceFee: amount,
  discountAmount: amount,
  /** convenienceFee minus discountAmount. */
  profit: amount,
})
export type EarningSums = z.infer<typeof earningSums>

export const earningRow = earningSums.extend({ year: z.int(), month: z.int(), monthsName: z.string() })
export type EarningRow = z.infer<typeof earningRow>

export const reportsContract = {
  /** A fleet admin's covers their own fleet only. */
  dashboard: base
    .route({ method: 'GET', path: '/api/v1/reports/dashboard', tags: ['reports'] })
    .output(dashboardView),
  /** Rows grouped by `by` (default: a driver's months). A fleet admin gets the trips of their own fleet. */
  drivers: base
    .route({ method: 'GET', path: '/api/v1/reports/drivers', tags: ['reports'] })
    .input(tableInput(driverEarningsTable).extend({ by: step }))
    .output(pageOf(driverEarning)),
  driversCount: base
    .route({ method: 'GET', path: '/api/v1/reports/drivers/count', tags: ['reports'] })
    .input(tableCountInput(driverEarningsTable).extend({ by: step }))
    .output(tableCount),
  /** The subtotals of the same rows, newest first: by month, by year, or over all (`driver`). */
  driverTotals: base
    .route({ method: 'GET', path: '/api/v1/reports/drivers/totals', tags: ['reports'] })
    .input(tableCountInput(driverEarningsTable).extend({ by: step }))
    .output(z.array(driverTotal)),
  /** Every month with trips, on one page, and their sum. */
  earnings: base
    .route({ method: 'GET', path: '/api/v1/reports/earnings', tags: ['reports'] })
    .input(tableInput(earningsTable))
    .output(pageOf(earningRow).extend({ total: earningSums })),
}
