import type { SelectHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'
import classes from './select-field.module.css'

/** Options are the children. */
type Props = FieldTexts & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'className'>

/** A labeled native select, which works with every keyboard, phone and screen reader. */
export function SelectField({ label, hint, error, children, ...select }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(ties) => (
        <select {...select} {...ties} className={`${ties.className} ${classes.select}`}>
          {children}
        </select>
      )}
    </FieldFrame>
  )
}
