import { cityDayStart, lastDayOf, nextDay } from '../time/city-time.ts'

/** The periods for which earnings are shown. */
export const earningSteps = ['day', 'week', 'month'] as const
export type EarningStep = (typeof earningSteps)[number]

/** Calendar days such as `2026-11-30`, inclusive. */
export interface Days {
  from: string
  to: string
}

const dayMs = 24 * 3600 * 1000
const hourMs = 3600 * 1000

/** The day, the week (Monday to Sunday, as in ISO 8601) or the month that contains a calendar day. */
export function periodAround(step: EarningStep, day: string): Days {
  switch (step) {
    case 'day':
      return { from: day, to: day }
    case 'week': {
      const monday = moved(day, -((new Date(day).getUTCDay() + 6) % 7))
      return { from: monday, to: moved(monday, 6) }
    }
    case 'month':
      return {
        from: `${day.slice(0, 8)}01`,
        to: lastDayOf(Number(day.slice(0, 4)), Number(day.slice(5, 7))),
      }
  }
}

/** The period before the one that contains a day. */
export function periodBefore(step: EarningStep, day: string): Days {
  return periodAround(step, moved(periodAround(step, day).from, -1))
}

/** The period after the one that contains a day. */
export function periodAfter(step: EarningStep, day: string): Days {
  return periodAround(step, moved(periodAround(step, day).to, 1))
}

/**
 * The start of each part of a period in a time zone (epoch ms, ascending), and the end of the period: the hours of a
 * day, the days of a week or month. A day with a clock change has 23 or 25 hours. Throws RangeError for an unknown zone
 * or an invalid day.
 */
export function partsOfPeriod(step: EarningStep, { from, to }: Days, zone: string): number[] {
  const end = startOf(moved(to, 1), zone)
  const starts: number[] = []
  if (step === 'day') {
    for (let at = startOf(from, zone); at < end; at += hourMs) starts.push(at)
  } else {
    for (let day = from; day <= to; day = moved(day, 1)) starts.push(startOf(day, zone))
  }
  return [...starts, end]
}

function startOf(day: string, zone: string): number {
  const start = cityDayStart(day, zone)
  if (start === null) throw new RangeError(`invalid day: ${day}`)
  return start
}

function moved(day: string, by: number): string {
  if (by === 1) return nextDay(day) ?? day
  return new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10)
}
