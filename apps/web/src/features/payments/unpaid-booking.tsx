import type { BookingView, ListedBooking } from '@hansom/contract/bookings'
import { incompleteBooking } from '@hansom/domain/bookings/cancel'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { IconClock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useServerNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { storeBooking } from '../../lib/live.ts'
import { refreshMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './payment-dialog.module.css'

/** Delay in which it can be undone, ms. */
const waitMs = 1_500

interface GiveUpProps {
  id: string
  /** The payment dialog was closed: the delay begins at once. */
  leaving?: {
    onKeep: () => void
    /** Nothing was cancelled, because a payment is under way. */
    onPaying: () => void
  }
}

/** Cancels an unpaid booking after a delay in which it can be undone. */
export function GiveUpBooking({ id, leaving }: GiveUpProps) {
  const { t } = useText()
  const [isGoing, setIsGoing] = useState(leaving !== undefined)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      leaving && (await isPaying(id))
        ? null
        : idempotentCall('cancel', { id, reason: incompleteBooking }, api.bookings.cancel),
    onSuccess: (view) => (view ? storeBooking(view) : leaving?.onPaying()),
    onError: () => setIsGoing(false),
  })
  useEffect(() => {
    if (!isGoing) return
    const timer = setTimeout(() => mutate(), waitMs)
    return () => clearTimeout(timer)
  }, [isGoing, mutate])
  return (
    <div className={classes.step}>
      {error ? (
        <Notice tone="bad">
          <span>
            <ErrorMessage error={error} />
          </span>
        </Notice>
      ) : null}
      {isGoing ? <output>{t('payments.giving_up')}</output> : null}
      <Button
        wide
        variant={isGoing ? 'secondary' : 'quiet'}
        busy={isPending}
        onClick={() => (isGoing && leaving ? leaving.onKeep() : setIsGoing(!isGoing))}
      >
        {t(isGoing ? 'payments.keep_booking' : 'payments.cancel_booking')}
      </Button>
    </div>
  )
}

/** A provider has an undecided payment of the booking. */
async function isPaying(id: string): Promise<boolean> {
  const { items } = await api.payments.ofBooking({ id })
  return items.some(({ state }) => state === 'pending')
}

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

interface Props {
  mode: PaymentMode
  view: ListedBooking
  /** The amount due, 10^-4 of the currency unit. */
  amount: number
  busy: boolean
  onPay: () => void
}

/** Last step of a payment method without card: what happens next, and the button. */
export function WithoutCard({ mode, view, amount, busy, onPay }: Props) {
  const { t } = useText()
  const format = useFormat()
  if (mode !== 'cash' && mode !== 'wallet') return null
  const money = isolated(format.money(amount))
  // A delivery is paid before it begins.
  const isDueNow = view.status === 'PENDING' || Boolean(view.delivery)
  return (
    <div className={classes.step}>
      <p>{t(`payments.${mode}_${isDueNow ? 'ended' : 'ahead'}`, { amount: money })}</p>
      <Button variant="primary" size="large" wide busy={busy} onClick={onPay}>
        {mode === 'cash'
          ? t('payments.pay_cash', { amount: money })
          : t(isDueNow ? 'payments.pay_wallet' : 'payments.choose_wallet', { amount: money })}
      </Button>
    </div>
  )
}

interface Choice {
  id: string
  payment_mode: PaymentMode
  promo?: string | null
}

/** Reloads the wallet first, so that the held part never counts twice. */
async function store(view: BookingView): Promise<void> {
  await refreshMe().catch(() => {})
  storeBooking(view)
}

/** The idempotent commands of the payment dialog. */
export function usePaying() {
  const choice = {
    mutationFn: (input: Choice) => idempotentCall('choose_payment', input, api.bookings.choose_payment),
    onSuccess: store,
  }
  return {
    choose: useMutation(choice),
    changePromo: useMutation(choice),
    payByWallet: useMutation({
      mutationFn: (id: string) => idempotentCall('pay_by_wallet', { id }, api.bookings.pay_by_wallet),
      onSuccess: store,
    }),
  }
}
