import type { RefundView } from '@hansom/contract/refunds'
import { amountProblem } from '@hansom/domain/money/check-amount'
import classes from '../../entities/refunds/refunds.module.css'
import { api } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { amountField } from '../../ui/record-field.tsx'

interface Props {
  refund: RefundView
  onClose: () => void
  onSaved: (refund: RefundView) => void
}

const fields = [amountField('fee', 'refunds.fee', 0)]

/** Changes the fee that the provider keeps for a dispute. */
export function FeeDialog({ refund, onClose, onSaved }: Props) {
  const { t } = useText()
  return (
    <RecordDialog<{ fee: number }, RefundView>
      title={t('refunds.fee_title', { code: isolated(refund.code) })}
      action={t('refunds.fee_save')}
      command={`refunds.fee ${refund.id}`}
      record={refund}
      blank={{ fee: 0 }}
      fields={fields}
      check={({ fee }) => {
        const error = amountProblem(fee)
        return error ? [{ field: 'fee', error }] : []
      }}
      save={({ draft: { fee }, options }) => api.refunds.setFee({ id: refund.id, fee }, options)}
      onClose={onClose}
      onSaved={onSaved}
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
