import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { DashboardView } from '@hansom/contract/reports'
import { useNavigate } from '@tanstack/react-router'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { earningTrips } from './bookings-address.ts'
import classes from './dashboard.module.css'
import type { DayFigure } from './day-figure.ts'
import { useDays } from './use-days.ts'

/** Bars of thirty days, time running with the language; a click opens the trips of a day. Read out as one picture: the table below has the numbers. */
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
    // Drawn from left to right in every language; the axes turn round by themselves.
    <div
      className={classes.chart}
      dir="ltr"
      role="img"
      aria-label={t('dashboard.chart', { figure: t(`dashboard.figure_${figure}`) })}
    >
      <BarChart
        h="100%"
        data={data}
        dataKey="day"
        series={[{ name: 'value', label: t(`dashboard.figure_${figure}`), color: 'var(--h-ink-2)' }]}
        valueFormatter={write}
        tickLine="none"
        maxBarWidth={22}
        xAxisProps={{
          reversed: mirrored,
          tickFormatter: (day: string) => (mirrored ? `\u2067${words.short(day)}\u2069` : words.short(day)),
          minTickGap: 28,
        }}
        yAxisProps={{
          orientation: mirrored ? 'right' : 'left',
          width: figure === 'earnings' ? 64 : 40,
          tickCount: 4,
          allowDecimals: false,
        }}
        barProps={{
          radius: [4, 4, 0, 0],
          isAnimationActive: false,
          cursor: 'pointer',
          onClick: ({ payload }: { payload?: { day?: string } }) => {
            const day = payload?.day
            if (day) void navigate({ to: '/bookings', search: earningTrips({ from: day, to: day }) } as never)
          },
        }}
        tooltipProps={{
          labelFormatter: (day) => (day ? words.day(String(day)) : ''),
          isAnimationActive: false,
        }}
        accessibilityLayer={false}
      />
    </div>
  )
}
