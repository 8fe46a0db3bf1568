import type { InputHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'

type Props = FieldTexts & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'>

/** A labeled text input with hint and error. */
export function TextField({ label, hint, error, ...input }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(ties) => <input {...input} {...ties} />}
    </FieldFrame>
  )
}
