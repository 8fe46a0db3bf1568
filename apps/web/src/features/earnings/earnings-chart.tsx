import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { EarningPeriodView } from '@hansom/contract/earnings'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { usePeriodWords } from './use-period-words.ts'

const height = 200

/** What each hour or day has brought as bars, time running with the language. Read out as one picture: the table below has the numbers. */
export function EarningsChart({ by, parts }: Pick<EarningPeriodView, 'by' | 'parts'>) {
  const { t, language } = useText()
  const format = useFormat()
  const words = usePeriodWords()
  const mirrored = language.direction === 'rtl'
  const data = parts.map(({ start, earned }) => ({ start, earned }))
  return (
    // Drawn from left to right in every language; the axes turn round by themselves.
    <div dir="ltr" role="img" aria-label={t(`earnings.chart_${by}`)}>
      <BarChart
        h={height}
        data={data}
        dataKey="start"
        series={[{ name: 'earned', label: t('earnings.earned'), color: 'var(--h-ink-2)' }]}
        valueFormatter={format.money}
        gridAxis="x"
        tickLine="none"
        maxBarWidth={26}
        xAxisProps={{
          reversed: mirrored,
          tickFormatter: (start: number) => words.mark(by, start),
          // Bars at the ends stay off the axis, on whichever side it is.
          padding: { left: 8, right: 8 },
          minTickGap: 8,
        }}
        yAxisProps={{ orientation: mirrored ? 'right' : 'left', width: 80, tickCount: 4, tickMargin: 10 }}
        barProps={{ radius: [4, 4, 0, 0], isAnimationActive: false }}
        tooltipProps={{
          // Before the first bar is pointed at, the picture asks for the words of none.
          labelFormatter: (start) => (typeof start === 'number' ? words.part(by, start) : ''),
          isAnimationActive: false,
        }}
        accessibilityLayer={false}
      />
    </div>
  )
}
