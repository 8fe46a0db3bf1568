import type { ComponentProps, SelectHTMLAttributes } from 'react'
import classes from './select-field.module.css'
import { FieldFrame, type FieldTexts } from './text-field.tsx'

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

interface ChoiceFieldProps extends Omit<ComponentProps<typeof SelectField>, 'children'> {
  choices: readonly { value: string; label: string }[]
}

/** A labeled select for a short list of choices. */
export function ChoiceField({ choices, ...field }: ChoiceFieldProps) {
  return (
    <SelectField {...field}>
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
