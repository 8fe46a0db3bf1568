import { useNavigate } from '@tanstack/react-router'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { BarsChart } from '../../ui/bars-chart.tsx'
import type { OperationGroup } from './operation-groups.ts'
import classes from './reports.module.css'

/** Bars of completed, cancelled and not served bookings of each group; a click lists a group's bookings. */
export function GroupsChart({ groups, by }: { groups: readonly OperationGroup[]; by: string }) {
  const { t } = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const series = [
    { name: 'completed', label: t('history.outcome_completed'), color: 'var(--h-ink-2)' },
    { name: 'cancelled', label: t('reports.op_cancelled_bookings'), color: 'var(--h-accent)' },
    { name: 'no_driver', label: t('history.outcome_no_driver'), color: 'var(--h-danger)' },
  ] as const
  const data = groups.map(({ key, figures: { bookings, outcomes } }) => {
    const { completed, no_driver } = outcomes
    return { key, completed, no_driver, cancelled: bookings - completed - no_driver }
  })
  const named = new Map(groups.map((group) => [group.key, group]))
  const labelOf = (key: string) => named.get(key)?.label ?? ''
  return (
    <>
      <ul className={classes.legend}>
        {series.map(({ name, label, color }) => (
          <li key={name}>
            <span className={classes.swatch} style={{ background: color }} aria-hidden />
            {label}
          </li>
        ))}
      </ul>
      <BarsChart
        label={t('reports.op_chart', { by })}
        height={220}
        data={data}
        dataKey="key"
        series={series}
        write={(value) => format.number(value)}
        mark={(key) => labelOf(key).replace(/ \(.*/, '')}
        title={labelOf}
        axisWidth={44}
        markGap={16}
        wholeNumbers
        onChoose={(key) => void navigate({ to: '/bookings', search: named.get(key)?.search ?? {} })}
      />
    </>
  )
}
