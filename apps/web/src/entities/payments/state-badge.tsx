import type { PaymentState } from '@hansom/domain/payments/payment'
import type { RefundState } from '@hansom/domain/wallet/refund'
import { useText } from '../../lib/i18n.ts'
import classes from '../refunds/refunds.module.css'

const refundTone: Partial<Record<RefundState, 'good' | 'bad'>> = {
  confirmed: 'good',
  failed: 'bad',
  by_hand: 'bad',
}
const paymentTone: Partial<Record<PaymentState, 'good' | 'bad'>> = {
  paid: 'good',
  failed: 'bad',
  mismatch: 'bad',
}

/** The state of a refund. */
export function RefundBadge({ state }: { state: RefundState }) {
  const { t } = useText()
  return <Badge tone={refundTone[state]}>{t(`refunds.state_${state}`)}</Badge>
}

/** The state of a card payment attempt. */
export function PaymentBadge({ state }: { state: PaymentState }) {
  const { t } = useText()
  return <Badge tone={paymentTone[state]}>{t(`refunds.pay_state_${state}`)}</Badge>
}

function Badge({ tone, children }: { tone: 'good' | 'bad' | undefined; children: string }) {
  return <span className={`${classes.badge} ${tone ? classes[tone] : ''}`}>{children}</span>
}
