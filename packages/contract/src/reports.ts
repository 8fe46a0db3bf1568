import { bookingStatuses } from '@hansom/domain/bookings/status'
import { maxOperationDays, outcomes } from '@hansom/domain/reports/operations'
import { z } from 'zod'
import { base } from './base.ts'
import { driverEarningSteps, driverEarningsTable, earningsTable } from './reports-table.ts'
import { amount, id, pageOf } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

/** A calendar day in the city's time zone: `2026-11-21`. */
const calendarDay = z.iso.date()

/**
 * The earnings of a range of days. Bookings PAID or COMPLETE and cancellation fees count on their tripdate, refunds on the
 * day when they were asked for, write-offs, bonuses and credits on their own day. Null: only for admins.
 */
export const earningFigures = z.object({
  /** Counted trips. */
  trips: z.int(),
  /** Cancelled bookings of these days. */
  cancelled: z.int(),
  tripCost: amount,
  driverShare: amount,
  /** The platform's booking fees. */
  convenienceFee: amount,
  /** Charged to the riders of cancelled bookings; the drivers get it. */
  cancellationFees: amount,
  /** The part of driverShare and cancellationFees that riders have not paid, or that was waived. */
  waiting: amount,
  /** Refunds that drivers bear. */
  driverRefunds: amount,
  /** As in the drivers' report: shares, fees and bonuses received minus refunds. */
  driversEarned: amount,
  discountAmount: amount.nullable(),
  /** convenienceFee minus discountAmount. */
  profit: amount.nullable(),
  /** Unpaid trips and debts that the platform bears. */
  writeOffs: amount.nullable(),
  /** Refunds that the platform bears, including those in progress. */
  platformRefunds: amount.nullable(),
  disputeFees: amount.nullable(),
  /** profit minus writeOffs, platformRefunds and disputeFees. */
  net: amount.nullable(),
  /** Refunds in progress, of any bearer. */
  openRefunds: amount.nullable(),
  /** Referral bonuses. */
  bonuses: amount.nullable(),
  /** Wallet credits by admins, less debits. */
  credits: amount.nullable(),
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

/** As on the driver's own earnings page: without what riders have not paid yet. */
const driverSums = {
  total_rides: z.int(),
  driverShare: amount,
  cancellationFees: amount,
  /** Referral bonuses. */
  bonus: amount,
  /** Refunds the driver bears; not negative. */
  refund: amount,
  /** driverShare, cancellationFees and bonus minus refund. */
  earned: amount,
}

export const driverEarning = span.extend({
  monthsName,
  driver: id,
  driverName: z.string(),
  driverVehicleNo: z.string().nullable(),
  ...driverSums,
})
export type DriverEarning = z.infer<typeof driverEarning>

export const driverTotal = span.extend({ monthsName, ...driverSums })
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
  /** Cancelled bookings, and what their riders were charged. */
  cancelled: z.int(),
  driverShare: amount,
  cancellationFees: amount,
  waiting: amount,
  writeOffs: amount,
  platformRefunds: amount,
  driverRefunds: amount,
  disputeFees: amount,
  /** profit minus writeOffs, platformRefunds and disputeFees. */
  net: amount,
  openRefunds: amount,
  bonuses: amount,
  credits: amount,
})
export type EarningSums = z.infer<typeof earningSums>

export const earningRow = earningSums.extend({ year: z.int(), month: z.int(), monthsName: z.string() })
export type EarningRow = z.infer<typeof earningRow>

const quantiles = z.object({ median: z.number(), p90: z.number() }).nullable()

/** Counts of ended bookings by trip date. Times are seconds, of immediate bookings; null without any. */
export const operationFigures = z.object({
  bookings: z.int(),
  outcomes: z.record(z.enum(outcomes), z.int()),
  /** Requests to drivers, and those accepted, also by drivers who were withdrawn later. */
  offers: z.int(),
  acceptances: z.int(),
  /** Bookings with requests, and those of them that a driver accepted. */
  offered: z.int(),
  accepted: z.int(),
  /** From the booking to the first acceptance, and to the arrival of the driver who drove. */
  acceptS: quantiles,
  pickupS: quantiles,
})
export type OperationFiguresView = z.infer<typeof operationFigures>

export const operationsView = z.object({
  timezone: z.string(),
  from: calendarDay,
  to: calendarDay,
  total: operationFigures,
  /** Hours 0 to 23 of the trip date in the city, those with bookings. */
  hours: z.array(operationFigures.extend({ hour: z.int() })),
  days: z.array(operationFigures.extend({ day: calendarDay })),
  carTypes: z.array(operationFigures.extend({ car_type_id: id, name: z.string() })),
  /** Pickup areas of about 1 km, most bookings first, at most twenty; `name` is what the map calls the area. */
  areas: z.array(
    operationFigures.extend({ area: z.int(), name: z.string(), lat: z.number(), lng: z.number() }),
  ),
  /** Cancellations by side and reason, most first. */
  reasons: z.array(z.object({ outcome: z.enum(outcomes), reason: z.string().nullable(), count: z.int() })),
})
export type OperationsView = z.infer<typeof operationsView>

const daysApart = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

export const reportsContract = {
  /** The operator's figures of a period of at most 92 days; a fleet admin's cover the trips of their own fleet. */
  operations: base
    .route({ method: 'GET', path: '/api/v1/reports/operations', tags: ['reports'] })
    .input(
      z
        .object({ from: calendarDay, to: calendarDay, fleetadmin: id.optional() })
        .refine(({ from, to }) => from <= to && daysApart(from, to) < maxOperationDays, {
          path: ['to'],
          params: { error: 'out_of_range' },
        }),
    )
    .output(operationsView),
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
  /** Every month with figures, on one page, and their sum. */
  earnings: base
    .route({ method: 'GET', path: '/api/v1/reports/earnings', tags: ['reports'] })
    .input(tableInput(earningsTable))
    .output(pageOf(earningRow).extend({ total: earningSums })),
}
