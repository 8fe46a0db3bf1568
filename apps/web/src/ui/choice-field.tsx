import type { ComponentProps } from 'react'
import { SelectField } from './select-field.tsx'

interface Props extends Omit<ComponentProps<typeof SelectField>, 'children'> {
  choices: readonly { value: string; label: string }[]
}

/** A labeled select for a short list of choices. */
export function ChoiceField({ choices, ...field }: Props) {
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
