import { paymentModes } from '@hansom/domain/bookings/status'
import { earningKinds } from '@hansom/domain/earnings/figures'
import { earningSteps } from '@hansom/domain/earnings/period'
import { z } from 'zod'
import { base } from './base.ts'
import { amount, cursor, id, instant, pageOf } from './shapes.ts'

/** A calendar day in the city's time zone: `2026-11-21`. */
const calendarDay = z.iso.date()
/** A day within the supported range. */
const drivenDay = calendarDay.refine((day) => day >= '1970-01-02' && day < '2200', 'wrong_type')

/** A driver's earnings in a period, or of one line. */
const earningParts = z.object({
  trips: z.int(),
  /** Price of the trips: driverShare plus platformFee. */
  tripCost: amount,
  platformFee: amount,
  driverShare: amount,
  cancellationFee: amount,
  bonus: amount,
  /** Refunds the driver bears; not negative. */
  refund: amount,
  /** Cash received from riders. */
  cash: amount,
  /** driverShare, cancellationFee and bonus minus refund. */
  earned: amount,
  /** earned minus cash: credited to the wallet, or debited when negative. */
  toWallet: amount,
})
export type EarningPartsView = z.infer<typeof earningParts>

export const earningPeriod = z.object({
  /** The time zone of the days, IANA name. */
  timezone: z.string(),
  today: calendarDay,
  by: z.enum(earningSteps),
  /** First and last day. */
  from: calendarDay,
  to: calendarDay,
  total: earningParts,
  /** The hours of a day, or the days of a week or month, oldest first, including those without trips. */
  parts: z.array(earningParts.extend({ start: instant })),
})
export type EarningPeriodView = z.infer<typeof earningPeriod>

/**
 * A paid trip, a cancelled trip with a fee, a refund the driver bears, or a bonus. Fields that do not apply are 0 or
 * null.
 */
export const earningLine = earningParts.extend({
  /** Id of the booking, refund or bonus. */
  id,
  kind: z.enum(earningKinds),
  at: instant,
  /** Id and code of the booking; null for a bonus. */
  booking: id.nullable(),
  booking_id: z.string().nullable(),
  pickup: z.string().nullable(),
  drop: z.string().nullable(),
  payment_mode: z.enum(paymentModes).nullable(),
  /** Reason of a refund. */
  reason: z.string().nullable(),
})
export type EarningLine = z.infer<typeof earningLine>

const periodInput = z.object({
  by: z.enum(earningSteps).optional(),
  /** Any day of the period; defaults to today. */
  day: drivenDay.optional(),
})

export const earningsContract = {
  /**
   * The driver's own earnings of a day (default), a week from Monday to Sunday, or a month. Trips count on the day of
   * their tripdate.
   */
  period: base
    .route({ method: 'GET', path: '/api/v1/me/earnings', tags: ['reports'] })
    .input(periodInput)
    .output(earningPeriod),
  /** The lines of the same period, newest first; they add up to its figures. */
  lines: base
    .route({ method: 'GET', path: '/api/v1/me/earnings/lines', tags: ['reports'] })
    .input(
      periodInput.extend({
        cursor: cursor.optional(),
        limit: z.coerce.number().pipe(z.int().min(1).max(200)).optional(),
      }),
    )
    .output(pageOf(earningLine)),
}
