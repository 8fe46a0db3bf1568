import type { DashboardView } from '@hansom/contract/reports'
import { useNavigate } from '@tanstack/react-router'
import { countedTrips } from '../../entities/bookings/bookings-search.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { BarsChart } from '../../ui/bars-chart.tsx'
import classes from './dashboard.module.css'
import { type DayFigure, useDays } from './earning-cards.tsx'

/**
 * Bar chart of thirty days in reading direction; a click opens a day's trips. Screen readers get the table below
 * instead.
 */
export function DaysChart({ days, figure }: Pick<DashboardView, 'days'> & { figure: DayFigure }) {
  const { t, language } = useText()
  const format = useFormat()
  const words = useDays()
  const navigate = useNavigate()
  const mirrored = language.direction === 'rtl'
  const write = (value: number) => (figure === 'earnings' ? format.money(value) : format.number(value))
  const data = days.map(({ day, trips, convenienceFee }) => ({
    day,
    value: figure === 'earnings' ? convenienceFee : trips,
  }))
  return (
    <BarsChart
      className={classes.chart}
      label={t('dashboard.chart', { figure: t(`dashboard.figure_${figure}`) })}
      height="100%"
      data={data}
      dataKey="day"
      series={[{ name: 'value', label: t(`dashboard.figure_${figure}`), color: 'var(--h-ink-2)' }]}
      write={write}
      mark={(day) => (mirrored ? `\u2067${words.short(day)}\u2069` : words.short(day))}
      title={words.day}
      axisWidth={figure === 'earnings' ? 72 : 44}
      markGap={28}
      wholeNumbers
      onChoose={(day) => void navigate({ to: '/bookings', search: countedTrips({ from: day, to: day }) })}
    />
  )
}
