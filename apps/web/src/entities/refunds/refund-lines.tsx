import type { Disputed } from '@hansom/contract/refunds'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import { RefundBadge } from '../payments/payment-columns.tsx'
import { RefundReason } from './refund-reason.tsx'
import classes from './refunds.module.css'

/** Refunds with their amount, target, state, author, bearer and reason, newest first. */
export function RefundLines({ refunds }: { refunds: Disputed['refunds'] }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <ul className={classes.lines}>
      {refunds.map((refund) => (
        <li key={refund.id}>
          <span>
            <strong>
              <Money amount={refund.amount} />
            </strong>{' '}
            {refund.source === 'card' && refund.provider
              ? t('refunds.to_card_short', { provider: isolated(t(`payments.provider_${refund.provider}`)) })
              : t('refunds.to_wallet_short')}
          </span>
          <RefundBadge state={refund.state} />
          <small>
            <bdi>{format.dateTime(refund.at)}</bdi>
            {refund.by_name ? ` · ${t('refunds.by', { name: isolated(refund.by_name) })}` : null}
            {' · '}
            {t('refunds.charged_to', { bearer: t(`refunds.bearer_${refund.bearer}`) })}
          </small>
          <small>
            <RefundReason refund={refund} />
          </small>
        </li>
      ))}
    </ul>
  )
}
