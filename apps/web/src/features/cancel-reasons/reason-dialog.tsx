import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { reasonLimits, reasonProblem } from '@hansom/domain/cancel-reasons/reasons'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import type { ApiError } from '../../lib/api-error.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { fieldProblem } from '../../ui/problem-summary.tsx'
import form from '../../ui/record-form.module.css'
import { TextField } from '../../ui/text-field.tsx'

interface Props {
  onClose: () => void
  onAdded: (reason: AdminCancelReason) => void
}

/** Adds a reason at the end of the list. */
export function ReasonDialog({ onClose, onAdded }: Props) {
  const { t } = useText()
  const id = useId()
  const [label, setLabel] = useState('')
  const [tried, setTried] = useState(false)
  const problem = reasonProblem(label)
  const add = useMutation<AdminCancelReason, ApiError>({
    mutationFn: () => api.cancelReasons.create({ label }),
    onSuccess: onAdded,
  })
  const shown = (tried ? problem : null) ?? add.error?.fields.find(({ field }) => field === 'label')?.error

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problem === null && !add.isPending) add.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('cancelReasons.add')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={id} variant="primary" busy={add.isPending}>
            {t('cancelReasons.add')}
          </Button>
        </DialogButtons>
      }
    >
      <form id={id} className={form.form} onSubmit={submit} noValidate>
        {add.error && add.error.fields.length === 0 ? (
          <Notice tone="bad">
            <ErrorMessage error={add.error} />
          </Notice>
        ) : null}
        <TextField
          label={t('cancelReasons.label')}
          value={label}
          dir="auto"
          autoComplete="off"
          maxLength={reasonLimits.label}
          hint={t('cancelReasons.label_hint')}
          error={shown ? fieldProblem(shown, t) : undefined}
          onChange={(event) => {
            setLabel(event.target.value)
            if (add.error) add.reset()
          }}
        />
      </form>
    </Dialog>
  )
}
