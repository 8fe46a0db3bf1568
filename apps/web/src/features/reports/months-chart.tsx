import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useNavigate } from '@tanstack/react-router'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { tripsBehind } from './trips-behind.ts'
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
  /** In any order; the latest two years of them are drawn. */
  months: readonly MonthFigures[]
  series: readonly ChartSeries[]
  /** What it shows, said to whoever does not see it. */
  label: string
}

/** Bars by month, time running with the language; a click opens the trips of a month. */
export function MonthsChart({ months, series, label }: Props) {
  const { t, language } = useText()
  const format = useFormat()
  const words = useMonths()
  const navigate = useNavigate()
  const mirrored = language.direction === 'rtl'
  const data = [...months]
    .sort((one, other) => numberOf(one) - numberOf(other))
    .slice(-shownMonths)
    .map((one) => ({ at: numberOf(one), ...one.values }))
  // Before the first bar is pointed at, the picture asks for the words of none.
  const written = (at: unknown, write: (year: number, month: number) => string) =>
    typeof at === 'number' ? write(Math.floor(at / 12), (at % 12) + 1) : ''
  return (
    // Drawn from left to right in every language; the axes turn round by themselves.
    <div dir="ltr" role="img" aria-label={label}>
      <BarChart
        h={height}
        data={data}
        dataKey="at"
        series={series.map(({ name, label: key, color }) => ({ name, label: t(key), color }))}
        valueFormatter={format.money}
        gridAxis="x"
        tickLine="none"
        maxBarWidth={26}
        xAxisProps={{
          reversed: mirrored,
          tickFormatter: (at) => written(at, words.short),
          minTickGap: 20,
        }}
        yAxisProps={{ orientation: mirrored ? 'right' : 'left', width: 84, tickCount: 4 }}
        barProps={{
          radius: [4, 4, 0, 0],
          isAnimationActive: false,
          cursor: 'pointer',
          onClick: ({ payload }: { payload?: { at?: number } }) => {
            const at = payload?.at
            if (at === undefined) return
            const search = tripsBehind({ year: Math.floor(at / 12), month: (at % 12) + 1 })
            void navigate({ to: '/bookings', search } as never)
          },
        }}
        tooltipProps={{ labelFormatter: (at) => written(at, words.full), isAnimationActive: false }}
        accessibilityLayer={false}
      />
    </div>
  )
}

const numberOf = ({ year, month }: Pick<MonthFigures, 'year' | 'month'>) => year * 12 + month - 1
