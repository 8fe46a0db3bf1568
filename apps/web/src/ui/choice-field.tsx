import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import classes from './text-field.module.css'

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'> {
  label: ReactNode
  choices: readonly { value: string; label: string }[]
  error?: ReactNode
}

/** A labelled choice of a few words. */
export function ChoiceField({ label, choices, error, ...select }: Props) {
  const id = useId()
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className={classes.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {error ? (
        <span id={`${id}-error`} className={classes.error} role="alert">
          {error}
        </span>
      ) : null}
    </div>
  )
}
