import { useNavigate } from '@tanstack/react-router'
import { countedTrips, countedTripsOf } from '../../entities/bookings/bookings-search.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { BarsChart } from '../../ui/bars-chart.tsx'
import { useMonths } from './use-months.ts'

const height = 208
const shownMonths = 24

/** One month, and amounts (10^-4 of the currency unit) by the name of their series. */
export interface MonthFigures {
  year: number
  month: number
  values: Readonly<Record<string, number>>
}

export interface ChartSeries {
  name: string
  /** Text key. */
  label: string
  color: string
}

interface Props {
  /** In any order; the latest two years are shown. */
  months: readonly MonthFigures[]
  series: readonly ChartSeries[]
  /** Description for screen readers. */
  label: string
}

interface DaysProps {
  /** Oldest first. */
  days: readonly { day: string; values: Readonly<Record<string, number>> }[]
  series: readonly ChartSeries[]
  label: string
}

/** The same by day, while there are few months. */
export function DaysChart({ days, series, label }: DaysProps) {
  const { t, language } = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const locale = language.dateLocale || language.langLocale
  const write = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`))
  const data = days.map(({ day, values }): Record<string, number | string> & { day: string } => ({
    ...values,
    day,
  }))
  return (
    <BarsChart
      label={label}
      height={height}
      data={data}
      dataKey="day"
      series={series.map(({ name, label: key, color }) => ({ name, label: t(key), color }))}
      write={format.money}
      mark={(day) => write(String(day), { day: 'numeric', month: 'short' })}
      title={(day) => write(String(day), { weekday: 'short', day: 'numeric', month: 'short' })}
      axisWidth={84}
      markGap={28}
      onChoose={(day) =>
        void navigate({ to: '/bookings', search: countedTrips({ from: String(day), to: String(day) }) })
      }
    />
  )
}

/** Bar chart by month in reading direction; a click opens a month's trips. */
export function MonthsChart({ months, series, label }: Props) {
  const { t } = useText()
  const format = useFormat()
  const words = useMonths()
  const navigate = useNavigate()
  const data = [...months]
    .sort((one, other) => numberOf(one) - numberOf(other))
    .slice(-shownMonths)
    .map((one): Record<string, number> & { at: number } => ({ ...one.values, at: numberOf(one) }))
  const monthOf = (at: number) => ({ year: Math.floor(at / 12), month: (at % 12) + 1 })
  const written = (at: number, write: (year: number, month: number) => string) => {
    const { year, month } = monthOf(at)
    return write(year, month)
  }
  return (
    <BarsChart
      label={label}
      height={height}
      data={data}
      dataKey="at"
      series={series.map(({ name, label: key, color }) => ({ name, label: t(key), color }))}
      write={format.money}
      mark={(at) => written(at, words.short)}
      title={(at) => written(at, words.full)}
      axisWidth={84}
      markGap={20}
      onChoose={(at) => void navigate({ to: '/bookings', search: countedTripsOf(monthOf(at)) })}
    />
  )
}

const numberOf = ({ year, month }: Pick<MonthFigures, 'year' | 'month'>) => year * 12 + month - 1
