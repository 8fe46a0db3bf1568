import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { type FormEvent, useId, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { latinDigits } from '../../ui/latin-digits.ts'
import form from '../../ui/record-form.module.css'
import { TextField } from '../../ui/text-field.tsx'

interface Props {
  reason: AdminCancelReason
  count: number
  onClose: () => void
  onMove: (to: number) => void
}

/** Asks for the place in the list, which people count from 1. */
export function MoveDialog({ reason, count, onClose, onMove }: Props) {
  const { t } = useText()
  const id = useId()
  const [text, setText] = useState(String(reason.value + 1))
  const [tried, setTried] = useState(false)
  const place = /^\d{1,6}$/.test(latinDigits(text.trim())) ? Number(latinDigits(text.trim())) : 0
  const isPlace = place >= 1 && place <= count

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isPlace) return
    if (place - 1 !== reason.value) onMove(place - 1)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('cancelReasons.move_title')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={id} variant="primary">
            {t('cancelReasons.move')}
          </Button>
        </DialogButtons>
      }
    >
      <form id={id} className={form.form} onSubmit={submit} noValidate>
        <p>
          <bdi>{reason.label}</bdi>
        </p>
        <TextField
          label={t('cancelReasons.place_of', { count })}
          value={text}
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          error={tried && !isPlace ? t('error.field_out_of_range') : undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
