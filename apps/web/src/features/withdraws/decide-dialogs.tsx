import type { WithdrawView } from '@hansom/contract/withdraws'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import classes from './withdraws.module.css'

interface Props {
  request: WithdrawView
  onClose: () => void
  /** Answers with the request as it is then. */
  onDecided: (request: WithdrawView) => void
}

/** Says that the money of a request has been sent. */
export function ProcessDialog({ request, onClose, onDecided }: Props) {
  const { t } = useText()
  const format = useFormat()
  const decision = useSubmit(onDecided)
  const account = [
    ['wallet.name', request.name],
    ['wallet.bankName', request.bankName],
    ['wallet.bankCode', request.bankCode],
    ['wallet.bankAccount', request.bankAccount],
  ] as const
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('wallet.process_title')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button
            variant="primary"
            busy={decision.busy}
            onClick={() =>
              decision.send(() =>
                idempotentCall('withdraws.process', { id: request.id }, api.withdraws.process),
              )
            }
          >
            {t('wallet.process_confirm')}
          </Button>
        </DialogButtons>
      }
    >
      <p className={classes.lead}>
        {t('wallet.process_text', { amount: isolated(format.money(request.amount)) })}
      </p>
      <dl className={classes.facts}>
        {account.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>
                {label === 'wallet.name' || label === 'wallet.bankName' ? (
                  <bdi>{value}</bdi>
                ) : (
                  <Ltr>{value}</Ltr>
                )}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {decision.failure}
    </Dialog>
  )
}

/** Gives the money of a request back to the wallet, with the reason. */
export function RefuseDialog({ request, onClose, onDecided }: Props) {
  const { t } = useText()
  const format = useFormat()
  const [reason, setReason] = useState('')
  const decision = useSubmit(onDecided)
  const send = () =>
    decision.send(() =>
      idempotentCall('withdraws.refuse', { id: request.id, reason: reason.trim() }, api.withdraws.refuse),
    )
  return (
    <Dialog open onClose={onClose} title={t('wallet.refuse_title')}>
      <p className={classes.lead}>
        {t('wallet.refuse_text', {
          amount: isolated(format.money(request.amount)),
          name: `\u2068${request.name}\u2069`,
        })}
      </p>
      <PlainForm onSubmit={send}>
        <TextField
          label={t('wallet.refuse_reason')}
          name="reason"
          dir="auto"
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {decision.failure}
        <div className={classes.buttons}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="danger" busy={decision.busy}>
            {t('wallet.refuse_confirm')}
          </Button>
        </div>
      </PlainForm>
    </Dialog>
  )
}
