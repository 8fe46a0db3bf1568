import { IconClock } from '@tabler/icons-react'
import { useServerNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import classes from './payment-dialog.module.css'

/** Countdown until an unpaid booking expires. `until` is epoch ms of the server's clock. */
export function TimeToPay({ until }: { until: number }) {
  const { t } = useText()
  const left = Math.max(0, until - useServerNow(1000))
  return (
    <p className={classes.time} data-short={left < 120_000 || undefined}>
      <IconClock size={20} stroke={1.8} aria-hidden />
      <span>{t(left > 0 ? 'payments.time_to_pay' : 'payments.time_over')}</span>
      {left > 0 ? (
        <strong role="timer">
          <Ltr>{minutesAndSeconds(left)}</Ltr>
        </strong>
      ) : null}
    </p>
  )
}

/** Formats a remaining time in ms as "14:05", rounded up to seconds. */
export function minutesAndSeconds(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
