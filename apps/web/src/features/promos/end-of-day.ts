import { cityDay, cityDayStart, nextDay } from '@hansom/domain/time/city-day'

/** The last moment (epoch ms) of the day in which a moment lies, by the clocks of a time zone. */
export function endOfDay(moment: number, timezone: string): number {
  const after = nextDay(cityDay(moment, timezone))
  const start = after === null ? null : cityDayStart(after, timezone)
  return start === null ? moment : start - 1
}
