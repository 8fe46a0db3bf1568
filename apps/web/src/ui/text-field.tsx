import type { InputHTMLAttributes } from 'react'
import { FieldFrame, type FieldWords } from './field-frame.tsx'

type Props = FieldWords & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'>

/** A labelled line of text with hint and error tied to it. */
export function TextField({ label, hint, error, ...input }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(ties) => <input {...input} {...ties} />}
    </FieldFrame>
  )
}
