import { maxOperationDays } from '@hansom/domain/reports/operations'
import { cityDayStart, daysUpTo } from '@hansom/domain/time/city-time'
import type { SearchParams } from '../../lib/search-params.ts'

export const periods = ['1', '7', '30', 'custom'] as const
export type Period = (typeof periods)[number]

/** Calendar days of the city, both included. */
export interface Days {
  from: string
  to: string
}

/** The period in the URL: the last seven days unless it names another one that may be shown. */
export function readPeriod(params: SearchParams, today: string): Days & { period: Period } {
  const period = periods.find((one) => one === params.period) ?? '7'
  const { from = '', to = '' } = params
  if (period === 'custom' && isDay(from) && isDay(to) && from <= to && from >= firstDay(to))
    return { period, from, to }
  const days = period === 'custom' ? 7 : Number(period)
  return { period, from: daysUpTo(today, days)[0] ?? today, to: today }
}

/** Moves one end of the period, and the other one where the period would be reversed or too long. */
export function moveEnd(days: Days, end: keyof Days, day: string): Days {
  const from = end === 'from' ? day : days.from
  const to = end === 'to' ? day : days.to
  if (end === 'to') return { from: from > to ? to : from < firstDay(to) ? firstDay(to) : from, to }
  return { from, to: to < from ? from : from < firstDay(to) ? lastDay(from) : to }
}

const isDay = (text: string) => cityDayStart(text, 'UTC') !== null
const firstDay = (to: string) => daysUpTo(to, maxOperationDays)[0] ?? to
const lastDay = (from: string) =>
  new Date(Date.parse(from) + (maxOperationDays - 1) * 86_400_000).toISOString().slice(0, 10)
