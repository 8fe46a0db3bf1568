import type { BookingView } from '@hansom/contract/bookings'
import type { PaymentMode } from '@hansom/domain/bookings/choices'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import classes from './payment-dialog.module.css'

interface Props {
  mode: PaymentMode
  view: BookingView
  /** What is still to be paid, 10^-4 of the currency unit. */
  amount: number
  busy: boolean
  onPay: () => void
}

/** The last step of a way without a card: what happens, and the one button. */
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
