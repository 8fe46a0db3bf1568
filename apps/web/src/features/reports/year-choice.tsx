import { useText } from '../../lib/i18n.ts'
import classes from './reports.module.css'
import { useMonths } from './use-months.ts'

interface Props {
  years: readonly number[]
  value: number | null
  onChange: (year: number | null) => void
}

/** Select for one year or all. */
export function YearChoice({ years, value, onChange }: Props) {
  const { t } = useText()
  const words = useMonths()
  return (
    <label className={classes.choiceLabel}>
      <span>{t('reports.year')}</span>
      <select
        className={classes.select}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
      >
        <option value="">{t('reports.all_years')}</option>
        {years.map((year) => (
          <option key={year} value={year}>
            {words.year(year)}
          </option>
        ))}
      </select>
    </label>
  )
}
