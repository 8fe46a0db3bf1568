import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import classes from './text-field.module.css'

type Props = FieldTexts & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'>

/** A labeled text input with hint and error. */
export function TextField({ label, hint, error, ...input }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(ties) => <input {...input} {...ties} />}
    </FieldFrame>
  )
}

type AreaProps = FieldTexts & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'>

/** A labeled input for several lines of text. */
export function TextArea({ label, hint, error, ...area }: AreaProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(ties) => <textarea {...area} {...ties} className={`${ties.className} ${classes.area}`} />}
    </FieldFrame>
  )
}

export interface FieldTexts {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

/** Props that connect an input to its label, hint and error. */
export interface FieldProps {
  id: string
  className: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Label, hint and error of a field, connected to it. */
export function FieldFrame({
  label,
  hint,
  error,
  children,
}: FieldTexts & { children: (ties: FieldProps) => ReactNode }) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        className: classes.input as string,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
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
