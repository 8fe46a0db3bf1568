import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { ErrorMessage } from '../error-message.tsx'
import { Notice } from '../notice.tsx'
import { TextField } from '../text-field.tsx'
import classes from './dialogs.module.css'

interface Props {
  name: string
  onClose: () => void
  /** Removes the record; if that fails, the dialog stays open and shows why. */
  onConfirm: () => Promise<unknown>
  /** What to know or decide first. */
  children?: ReactNode
}

const plain = (words: string) => words.normalize('NFC').trim().replace(/\s+/g, ' ').toLocaleLowerCase()

/** Confirms an irreversible removal: the user must type the record's name. */
export function RemoveDialog({ name, onClose, onConfirm, children }: Props) {
  const { t } = useText()
  const form = useId()
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (plain(typed) !== plain(name)) return
    setBusy(true)
    setError(null)
    onConfirm()
      .then(onClose, setError)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('table.remove_title', { name })}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button type="submit" form={form} variant="danger" busy={busy}>
            {t('table.remove')}
          </Button>
        </DialogButtons>
      }
    >
      <form id={form} className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>
          {t('table.remove_text')} <strong dir="auto">{name}</strong>
        </p>
        {children}
        <TextField
          label={t('table.remove_name')}
          value={typed}
          dir="auto"
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
          error={tried && plain(typed) !== plain(name) ? t('table.remove_differs') : undefined}
        />
        {error ? (
          <Notice tone="bad">
            <ErrorMessage error={error} />
          </Notice>
        ) : null}
      </form>
    </Dialog>
  )
}
