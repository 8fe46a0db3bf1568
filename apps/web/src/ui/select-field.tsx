import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import select from './select-field.module.css'
import classes from './text-field.module.css'

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** The options. */
  children: ReactNode
}

/** A labelled choice of one, the browser's own: known to every keyboard, phone and screen reader. */
export function SelectField({ label, hint, error, children, ...rest }: Props) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <select
        {...rest}
        id={id}
        className={`${classes.input} ${select.select}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      >
        {children}
      </select>
      {hint ? (
        <span id={`${id}-hint`} className={classes.hint}>
          {hint}
        </span>
      ) : null}
      {error ? (
        <span id={`${id}-error`} className={classes.error} role="alert">
          {error}
        </span>
      ) : null}
    </div>
  )
}
