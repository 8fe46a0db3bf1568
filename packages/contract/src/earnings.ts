import { paymentModes } from '@hansom/domain/bookings/booking'
import { earningKinds } from '@hansom/domain/earnings/figures'
import { earningSteps } from '@hansom/domain/earnings/period'
import { z } from 'zod'
import { base } from './base.ts'
import { amount, cursor, id, instant, pageOf } from './shapes.ts'

/** A calendar day in the city's time zone: `2026-11-21`. */
const calendarDay = z.iso.date()
/** One that somebody may have driven on. */
const drivenDay = calendarDay.refine((day) => day >= '1970-01-02' && day < '2200', 'wrong_type')

/** What a stretch of time, or one line, has brought its driver. */
const earningParts = z.object({
  trips: z.int(),
  /** What the trips cost: driverShare and platformFee. */
  tripCost: amount,
  platformFee: amount,
  driverShare: amount,
  cancellationFee: amount,
  bonus: amount,
  /** Borne by the driver; not below zero. */
  refund: amount,
  /** Handed over by riders. */
  cash: amount,
  /** driverShare, cancellationFee and bonus less refund. */
  earned: amount,
  /** earned less cash: what went into the wallet, or out of it when below zero. */
  toWallet: amount,
})
export type EarningPartsView = z.infer<typeof earningParts>

export const earningPeriod = z.object({
  /** The zone in which days begin and end, IANA name. */
  timezone: z.string(),
  today: calendarDay,
  by: z.enum(earningSteps),
  /** Its first and its last day. */
  from: calendarDay,
  to: calendarDay,
  total: earningParts,
  /** The hours of a day, the days of a week or month, oldest first, also those without a trip. */
  parts: z.array(earningParts.extend({ start: instant })),
})
export type EarningPeriodView = z.infer<typeof earningPeriod>

/** A paid trip, a cancelled one that brought a fee, a refund to bear, or a bonus. What it has not is 0 or null. */
export const earningLine = earningParts.extend({
  /** The booking's, the refund's or the bonus' own. */
  id,
  kind: z.enum(earningKinds),
  at: instant,
  /** The booking's id, and what people call it; null for a bonus. */
  booking: id.nullable(),
  booking_id: z.string().nullable(),
  pickup: z.string().nullable(),
  drop: z.string().nullable(),
  payment_mode: z.enum(paymentModes).nullable(),
  /** Why a refund was given. */
  reason: z.string().nullable(),
})
export type EarningLine = z.infer<typeof earningLine>

const asked = z.object({
  by: z.enum(earningSteps).optional(),
  /** Any day of the period; today when left out. */
  day: drivenDay.optional(),
})

export const earningsContract = {
  /** A driver's own day (default), week from Monday to Sunday, or month. Trips count on the day of their tripdate. */
  period: base
    .route({ method: 'GET', path: '/api/v1/me/earnings', tags: ['reports'] })
    .input(asked)
    .output(earningPeriod),
  /** What the same period is made of, newest first: its lines add up to its figures. */
  lines: base
    .route({ method: 'GET', path: '/api/v1/me/earnings/lines', tags: ['reports'] })
    .input(
      asked.extend({
        cursor: cursor.optional(),
        limit: z.coerce.number().pipe(z.int().min(1).max(200)).optional(),
      }),
    )
    .output(pageOf(earningLine)),
}
