import type { RefundView } from '@hansom/contract/refunds'
import { unit } from '@hansom/domain/money/amount'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import { AmountField } from '../../entities/payments/amount-field.tsx'
import classes from '../../entities/refunds/refunds.module.css'
import { typedFee } from '../../entities/payments/typed-fee.ts'

interface Props {
  refund: RefundView
  onClose: () => void
  onSaved: (refund: RefundView) => void
}

/** An admin says what the provider keeps for a dispute by now. */
export function FeeDialog({ refund, onClose, onSaved }: Props) {
  const { t } = useText()
  const settings = useSettings()
  const [text, setText] = useState((refund.fee / unit).toFixed(settings.decimal))
  const [tried, setTried] = useState(false)
  const sending = useSubmit(onSaved)
  const fee = typedFee(text, settings)
  const send = () => {
    setTried(true)
    if (fee !== null) sending.send(() => api.refunds.setFee({ id: refund.id, fee }))
  }
  return (
    <Dialog open onClose={onClose} title={t('refunds.fee_title', { code: isolated(refund.code) })}>
      <PlainForm onSubmit={send}>
        <p className={classes.lead}>{t('refunds.fee_text')}</p>
        <AmountField
          label={t('refunds.fee')}
          name="fee"
          value={text}
          onChange={setText}
          error={tried && fee === null ? t('refunds.fee_wrong') : undefined}
        />
        {sending.failure}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" variant="primary" busy={sending.busy}>
            {t('refunds.fee_save')}
          </Button>
        </DialogButtons>
      </PlainForm>
    </Dialog>
  )
}
