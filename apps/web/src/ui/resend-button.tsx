import { useEffect, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'

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
