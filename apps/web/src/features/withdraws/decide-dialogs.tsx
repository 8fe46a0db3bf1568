import type { WithdrawView } from '@hansom/contract/withdraws'
import { api } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { textField } from '../../ui/record-field.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import classes from './withdraws.module.css'

interface Props {
  request: WithdrawView
  onClose: () => void
  /** Receives the updated request. */
  onDecided: (request: WithdrawView) => void
}

/** Confirms that the money of a request has been sent. */
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

const reasonField = textField('reason', 'wallet.refuse_reason', { maxLength: 300 })

/** Refuses a request, with a reason, and returns the money to the wallet. */
export function RefuseDialog({ request, onClose, onDecided }: Props) {
  const { t } = useText()
  const format = useFormat()
  return (
    <RecordDialog<{ reason: string }, { reason: string }, WithdrawView>
      title={t('wallet.refuse_title')}
      action={t('wallet.refuse_confirm')}
      danger
      command={`withdraws.refuse ${request.id}`}
      record={null}
      blank={{ reason: '' }}
      fields={[reasonField]}
      check={({ reason }) => (reason.trim() === '' ? [{ field: 'reason', error: 'required' }] : [])}
      save={({ draft, options }) =>
        api.withdraws.refuse({ id: request.id, reason: draft.reason.trim() }, options)
      }
      onClose={onClose}
      onSaved={onDecided}
    >
      {({ field }) => (
        <>
          <p className={classes.lead}>
            {t('wallet.refuse_text', {
              amount: isolated(format.money(request.amount)),
              name: isolated(request.name),
            })}
          </p>
          {field('reason')}
        </>
      )}
    </RecordDialog>
  )
}
