import { bookingStatuses } from '@hansom/domain/bookings/status'
import { z } from 'zod'
import { base } from './base.ts'
import { driverEarningSteps, driverEarningsTable, earningsTable } from './reports-table.ts'
import { amount, id, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** A calendar day in the city's time zone: `2026-11-21`. */
const calendarDay = z.iso.date()

/** What a span of days has brought: bookings PAID or COMPLETE, by tripdate. */
export const earningFigures = z.object({
  /** Trips that count. */
  trips: z.int(),
  /** Bookings of these days that were cancelled; they bring nothing. */
  cancelled: z.int(),
  tripCost: amount,
  driverShare: amount,
  /** The gross earning: the sum of the convenience fees. */
  convenienceFee: amount,
  /** convenienceFee less the discounts; null for who does not see discounts. */
  profit: amount.nullable(),
})
export type EarningFigures = z.infer<typeof earningFigures>

export const dashboardView = z.object({
  /** The zone in which days and months begin and end, IANA name. */
  timezone: z.string(),
  today: calendarDay,
  earnings: z.object({ today: earningFigures, month: earningFigures, total: earningFigures }),
  /** All bookings, each status once, in the order a trip passes them. */
  statuses: z.array(z.object({ status: z.enum(bookingStatuses), count: z.int() })),
  /** The last thirty days with today, oldest first, also those without a trip. */
  days: z.array(earningFigures.extend({ day: calendarDay })),
})
export type DashboardView = z.infer<typeof dashboardView>

const span = z.object({
  /** Null in rows over all years. */
  year: z.int().nullable(),
  /** 1 to 12; null in rows over whole years. */
  month: z.int().min(1).max(12).nullable(),
})
/** The month in English, as exports for other programs have it; null in rows over whole years. */
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
  /** tripCost less convenienceFee. */
  rideCost: amount,
  convenienceFee: amount,
  discountAmount: amount,
  /** convenienceFee less discountAmount. */
  profit: amount,
})
export type EarningSums = z.infer<typeof earningSums>

export const earningRow = earningSums.extend({ year: z.int(), month: z.int(), monthsName: z.string() })
export type EarningRow = z.infer<typeof earningRow>

export const reportsContract = {
  /** A fleet admin's has the own fleet alone. */
  dashboard: base
    .route({ method: 'GET', path: '/api/v1/reports/dashboard', tags: ['reports'] })
    .output(dashboardView),
  /** Rows by `by` (default: a driver's months). A fleet admin has the own fleet's trips. */
  drivers: base
    .route({ method: 'GET', path: '/api/v1/reports/drivers', tags: ['reports'] })
    .input(tableInput(driverEarningsTable).extend({ by: step }))
    .output(pageOf(driverEarning)),
  driversCount: base
    .route({ method: 'GET', path: '/api/v1/reports/drivers/count', tags: ['reports'] })
    .input(tableCountInput(driverEarningsTable).extend({ by: step }))
    .output(tableCount),
  /** The subtotals of the same rows, newest first: of months, of years, or of all together (`driver`). */
  driverTotals: base
    .route({ method: 'GET', path: '/api/v1/reports/drivers/totals', tags: ['reports'] })
    .input(tableCountInput(driverEarningsTable).extend({ by: step }))
    .output(z.array(driverTotal)),
  /** Every month in which a trip was driven, on one page, and their sum. */
  earnings: base
    .route({ method: 'GET', path: '/api/v1/reports/earnings', tags: ['reports'] })
    .input(tableInput(earningsTable))
    .output(pageOf(earningRow).extend({ total: earningSums })),
}
