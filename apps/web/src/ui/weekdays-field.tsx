import { type Weekday, weekdays } from '@hansom/domain/time/weekdays'
import { useId } from 'react'
import { useFormat } from '../lib/format.ts'
import frame from './text-field.module.css'
import type { FieldTexts } from './text-field.tsx'
import classes from './weekdays-field.module.css'

interface Props extends FieldTexts {
  name: string
  value: readonly Weekday[]
  onChange: (value: Weekday[]) => void
  onBlur?: () => void
}

/** Any set of weekdays: a checkbox for each, named in full for screen readers. */
export function WeekdaysField({ label, hint, error, name, value, onChange, onBlur }: Props) {
  const id = useId()
  const format = useFormat()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  const toggle = (toggled: Weekday) =>
    onChange(weekdays.filter((day) => value.includes(day) !== (day === toggled)))
  return (
    <fieldset className={frame.field} aria-describedby={described || undefined}>
      <legend className={`${frame.label} ${classes.legend}`}>{label}</legend>
      <div className={classes.days}>
        {weekdays.map((day) => (
          <label key={day} className={classes.day}>
            <input
              type="checkbox"
              name={name}
              value={day}
              checked={value.includes(day)}
              aria-label={format.weekday(day)}
              aria-invalid={error ? true : undefined}
              onChange={() => toggle(day)}
              onBlur={onBlur}
            />
            <span aria-hidden>{format.weekday(day, 'short')}</span>
          </label>
        ))}
      </div>
      {hint ? (
        <span id={`${id}-hint`} className={frame.hint}>
          {hint}
        </span>
      ) : null}
      {error ? (
        <span id={`${id}-error`} className={frame.error} role="alert">
          {error}
        </span>
      ) : null}
    </fieldset>
  )
}
