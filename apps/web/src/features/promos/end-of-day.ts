import { cityDay, cityDayStart, nextDay } from '@hansom/domain/time/city-day'

/** The last moment of the calendar day that contains a moment, in a time zone. Both are epoch ms. */
export function endOfDay(moment: number, timezone: string): number {
  const after = nextDay(cityDay(moment, timezone))
  const start = after === null ? null : cityDayStart(after, timezone)
  return start === null ? moment : start - 1
}
