import type { EarningPeriodView } from '@hansom/contract/earnings'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { BarsChart } from '../../ui/bars-chart.tsx'
import { usePeriodWords } from './earnings-period.ts'

const height = 200

/** Bar chart of earnings by hour or day in reading direction. Screen readers get the table below instead. */
export function EarningsChart({ by, parts }: Pick<EarningPeriodView, 'by' | 'parts'>) {
  const { t } = useText()
  const format = useFormat()
  const words = usePeriodWords()
  const data = parts.map(({ start, earned }) => ({ start, earned }))
  return (
    <BarsChart
      label={t(`earnings.chart_${by}`)}
      height={height}
      data={data}
      dataKey="start"
      series={[{ name: 'earned', label: t('earnings.earned'), color: 'var(--h-ink-2)' }]}
      write={format.money}
      mark={(start) => words.mark(by, start)}
      title={(start) => words.part(by, start)}
      axisWidth={80}
      markGap={8}
    />
  )
}
