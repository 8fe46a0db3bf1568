import { chatLimits, type ReportReason, reportReasons } from '@hansom/domain/chats/chat'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { AlertDialog, Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { ChoiceField } from '../../ui/select-field.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import classes from './report-chat.module.css'

/** Asks before the messages of both people are stopped. */
export function BlockDialog({
  booking,
  name,
  onClose,
}: {
  booking: string
  name: string
  onClose: () => void
}) {
  const { t } = useText()
  const block = useMutation({ mutationFn: () => api.chats.block({ id: booking }), onSuccess: onClose })
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={t('chat.block_title', { name: isolated(name) })}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant="danger" busy={block.isPending} onClick={() => block.mutate()}>
            {t('chat.block')}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('chat.block_text')}</p>
      {block.error ? <ErrorMessage error={block.error} /> : null}
    </Dialog>
  )
}

/** Reports the conversation to the support team. */
export function ReportDialog({ booking, onClose }: { booking: string; onClose: () => void }) {
  const { t } = useText()
  const formId = useId()
  const [reason, setReason] = useState<ReportReason | ''>('')
  const [note, setNote] = useState('')
  const report = useMutation({
    mutationFn: (chosen: ReportReason) => api.chats.report({ id: booking, reason: chosen, note }),
  })
  if (report.isSuccess) {
    return (
      <AlertDialog open onClose={onClose}>
        {t('chat.reported')}
      </AlertDialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('chat.report_title')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={formId} variant="primary" busy={report.isPending}>
            {t('chat.report_send')}
          </Button>
        </DialogButtons>
      }
    >
      <form
        id={formId}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (reason !== '') report.mutate(reason)
        }}
      >
        <p>{t('chat.report_text')}</p>
        <ChoiceField
          label={t('chat.report_reason')}
          required
          value={reason}
          choices={[
            { value: '', label: '' },
            ...reportReasons.map((value) => ({ value, label: t(`chat.reason_${value}`) })),
          ]}
          onChange={({ target }) => setReason(target.value as ReportReason | '')}
        />
        <TextArea
          label={t('chat.report_note')}
          rows={3}
          maxLength={chatLimits.note}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        {report.error ? <ErrorMessage error={report.error} /> : null}
      </form>
    </Dialog>
  )
}
