import type { RefundView } from '@hansom/contract/refunds'
import { amountProblem } from '@hansom/domain/money/amount'
import classes from '../../entities/refunds/refunds.module.css'
import { api } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { amountField } from '../../ui/record-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'

interface Props {
  refund: RefundView
  onClose: () => void
  onDone: (refund: RefundView) => void
}

/** The admin states how a refund ended, after checking the provider's dashboard. */
export function SettleDialog({ refund, onClose, onDone }: Props) {
  const { t } = useText()
  const sending = useSubmit(onDone)
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

const feeFields = [amountField('fee', 'refunds.fee', 0)]

/** Changes the fee that the provider keeps for a dispute. */
export function FeeDialog({ refund, onClose, onDone }: Props) {
  const { t } = useText()
  return (
    <RecordDialog<{ fee: number }, RefundView>
      title={t('refunds.fee_title', { code: isolated(refund.code) })}
      action={t('refunds.fee_save')}
      command={`refunds.fee ${refund.id}`}
      record={refund}
      blank={{ fee: 0 }}
      fields={feeFields}
      check={({ fee }) => {
        const error = amountProblem(fee)
        return error ? [{ field: 'fee', error }] : []
      }}
      save={({ draft: { fee }, options }) => api.refunds.setFee({ id: refund.id, fee }, options)}
      onClose={onClose}
      onSaved={onDone}
    >
      {({ field }) => (
        <>
          <p className={classes.lead}>{t('refunds.fee_text')}</p>
          {field('fee')}
        </>
      )}
    </RecordDialog>
  )
}
