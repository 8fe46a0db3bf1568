import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
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

/** Requests another code once the countdown ends. `readyAt` is epoch ms of the device's clock. */
export function ResendButton({ readyAt, onResend }: { readyAt: number; onResend: () => void }) {
  const { t } = useText()
  const [now, setNow] = useState(() => Date.now())
  const left = Math.max(0, Math.ceil((readyAt - now) / 1000))
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [readyAt])
  return (
    <Button variant="quiet" size="small" disabled={left > 0} onClick={onResend}>
      {left > 0 ? t('login.resend_in', { seconds: left }) : t('login.resend')}
    </Button>
  )
}
