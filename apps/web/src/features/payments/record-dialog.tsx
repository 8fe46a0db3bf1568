import type { AdminPayment } from '@hansom/contract/payments'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { typedAmount } from '../../ui/typed-amount.ts'
import { useSubmit } from '../../ui/use-submit.tsx'
import { AmountField } from '../../entities/payments/amount-field.tsx'
import classes from '../../entities/refunds/refunds.module.css'
import { typedFee } from '../../entities/payments/typed-fee.ts'

const origins = ['provider', 'chargeback'] as const

interface Props {
  payment: AdminPayment
  onClose: () => void
}

/** An admin has seen in the provider's pages that money went back, and keeps it. */
export function RecordDialog({ payment, onClose }: Props) {
  const { t } = useText()
  const settings = useSettings()
  const [origin, setOrigin] = useState<(typeof origins)[number]>('provider')
  const [amountText, setAmountText] = useState('')
  const [feeText, setFeeText] = useState('')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const sending = useSubmit(() => {
    void queryClient.invalidateQueries({ queryKey: orpc.refunds.key() })
    void queryClient.invalidateQueries({ queryKey: orpc.ledger.key() })
    onClose()
  })
  const amount = typedAmount(amountText, settings)
  const fee = origin === 'chargeback' ? typedFee(feeText, settings) : 0
  const send = () => {
    setTried(true)
    if (amount <= 0 || fee === null) return
    const seen = { payment: payment.id, origin, amount, fee, reason }
    sending.send(() =>
      idempotentCall('refunds.record', { id: payment.id, ...seen }, (_input, options) =>
        api.refunds.record(seen, options),
      ),
    )
  }
  return (
    <Dialog open onClose={onClose} title={t('refunds.record_title', { code: isolated(payment.reference) })}>
      <PlainForm onSubmit={send}>
        <p className={classes.lead}>
          {t('refunds.record_text', { provider: isolated(t(`payments.provider_${payment.provider}`)) })}
        </p>
        <ChoiceField
          label={t('refunds.origin')}
          name="origin"
          value={origin}
          onChange={(event) => setOrigin(event.target.value === 'chargeback' ? 'chargeback' : 'provider')}
          choices={origins.map((value) => ({ value, label: t(`refunds.origin_${value}`) }))}
        />
        <AmountField
          label={t('refunds.amount')}
          name="amount"
          value={amountText}
          onChange={setAmountText}
          error={tried && amount <= 0 ? t('payments.amount_above_zero') : undefined}
        />
        {origin === 'chargeback' ? (
          <AmountField
            label={t('refunds.fee')}
            hint={t('refunds.fee_hint')}
            name="fee"
            value={feeText}
            onChange={setFeeText}
            error={tried && fee === null ? t('refunds.fee_wrong') : undefined}
          />
        ) : null}
        <TextField
          label={t('refunds.reason')}
          hint={t('refunds.record_reason_hint')}
          name="reason"
          dir="auto"
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {sending.failure}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" variant="primary" busy={sending.busy}>
            {t('refunds.record_save')}
          </Button>
        </DialogButtons>
      </PlainForm>
    </Dialog>
  )
}
