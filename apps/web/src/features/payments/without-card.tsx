import type { BookingView } from '@hansom/contract/bookings'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { storeBooking } from '../../lib/booking-cache.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { refreshMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import classes from './payment-dialog.module.css'

interface Props {
  mode: PaymentMode
  view: BookingView
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
  const isEnded = view.status === 'PENDING'
  return (
    <div className={classes.step}>
      <p>{t(`payments.${mode}_${isEnded ? 'ended' : 'ahead'}`, { amount: money })}</p>
      <Button variant="primary" size="large" wide busy={busy} onClick={onPay}>
        {mode === 'cash'
          ? t('payments.pay_cash', { amount: money })
          : t(isEnded ? 'payments.pay_wallet' : 'payments.choose_wallet', { amount: money })}
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
