import { codeLifetimeMs, freshSessionMs } from '../accounts/attempts.ts'
import { bookLaterLeadMs, bookLaterLimitMs, noShowWaitMs } from '../dispatch/timing.ts'
import { lateGraceMs } from '../fare/cancellation-fee.ts'
import { dashboardDays } from '../reports/counted.ts'

const minuteMs = 60_000

/** The limits that texts name, by placeholder. Every text may use them. */
export const textLimits = {
  leadMinutes: bookLaterLeadMs / minuteMs,
  aheadDays: bookLaterLimitMs / (24 * 60 * minuteMs),
  waitMinutes: noShowWaitMs / minuteMs,
  lateMinutes: lateGraceMs / minuteMs,
  codeMinutes: codeLifetimeMs / minuteMs,
  freshMinutes: freshSessionMs / minuteMs,
  dashboardDays,
}
