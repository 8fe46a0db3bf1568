import type { RefundView } from '@hansom/contract/refunds'
import { api } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import classes from '../../entities/refunds/refunds.module.css'
import { useSubmit } from '../../ui/use-submit.tsx'

interface Props {
  refund: RefundView
  onClose: () => void
  onSettled: (refund: RefundView) => void
}

/** An admin has looked at the provider's pages and says how a refund has ended. */
export function SettleDialog({ refund, onClose, onSettled }: Props) {
  const { t } = useText()
  const sending = useSubmit(onSettled)
  const provider = refund.provider === null ? '' : isolated(t(`payments.provider_${refund.provider}`))
  const isDispute = refund.origin === 'chargeback'
  const end = (outcome: 'confirmed' | 'failed') =>
    sending.send(() => api.refunds.settle({ id: refund.id, outcome }))
  return (
    <Dialog open onClose={onClose} title={t('refunds.settle')}>
      <p className={classes.lead}>{t('refunds.settle_text', { provider })}</p>
      {refund.failure ? (
        <p className={classes.where}>
          <bdi>{refund.failure}</bdi>
        </p>
      ) : null}
      {sending.failure}
      <div className={classes.endings}>
        <Button
          variant={isDispute ? 'danger' : 'primary'}
          busy={sending.busy}
          onClick={() => end('confirmed')}
        >
          {t(isDispute ? 'refunds.settle_lost' : 'refunds.settle_confirmed')}
        </Button>
        <Button variant={isDispute ? 'primary' : 'danger'} busy={sending.busy} onClick={() => end('failed')}>
          {t(isDispute ? 'refunds.settle_won' : 'refunds.settle_failed')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </Dialog>
  )
}
