import type { ReactNode } from 'react'
import { FocusFirst } from './focus-first.tsx'
import { latinDigits } from './latin-digits.ts'
import { TextField } from './text-field.tsx'

interface Props {
  label: ReactNode
  value: string
  onChange: (code: string) => void
  hint?: ReactNode
  error?: ReactNode
}

/** Input for a six-digit code. Accepts paste (also "123 456") and the phone's suggestion from a message. */
export function CodeField({ label, value, onChange, hint, error }: Props) {
  return (
    <FocusFirst>
      <TextField
        label={label}
        name="otp"
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        onChange={(event) => onChange(latinDigits(event.target.value).replace(/\D/g, '').slice(0, 6))}
        hint={hint}
        error={error}
        style={{ letterSpacing: '0.35em', fontVariantNumeric: 'tabular-nums' }}
      />
    </FocusFirst>
  )
}
