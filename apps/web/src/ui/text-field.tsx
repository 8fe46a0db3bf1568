import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'
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
