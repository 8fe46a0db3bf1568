import { TextField } from '../../ui/text-field.tsx'

interface Props {
  label: string
  hint?: string
  name: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** A labelled field for an amount of money. */
export function AmountField({ onChange, ...field }: Props) {
  return (
    <TextField
      {...field}
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
