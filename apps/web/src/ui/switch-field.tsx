import { type ReactNode, useId } from 'react'
import classes from './switch-field.module.css'

interface Props {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  name?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A switch with its label in front; the entire line is clickable. */
export function SwitchField({ label, hint, error, name, checked, onChange, disabled = false }: Props) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label className={classes.line} htmlFor={id}>
        <span className={classes.label}>{label}</span>
        <input
          id={id}
          type="checkbox"
          role="switch"
          name={name}
          className={classes.input}
          checked={checked}
          aria-checked={checked}
          disabled={disabled}
          aria-describedby={described || undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className={classes.track} aria-hidden />
      </label>
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
