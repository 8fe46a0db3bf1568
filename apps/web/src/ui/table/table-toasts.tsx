import { IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import { ErrorMessage } from '../error-message.tsx'
import classes from './dialogs.module.css'

export interface Failure {
  /** Translated description of what failed. */
  message: string
  error: unknown
}

/** A saved change; `undo` is null if what was there before cannot be restored. */
export interface Undoable {
  message: string
  undo: (() => void) | null
}

/** How long a saved edit is shown and can be undone, ms. */
export const undoToastMs = 10_000

/** The last saved edit, for ten seconds. */
export function useUndoToast() {
  const [current, setCurrent] = useState<Undoable | null>(null)
  useEffect(() => {
    if (!current) return
    const timer = setTimeout(() => setCurrent(null), undoToastMs)
    return () => clearTimeout(timer)
  }, [current])
  return {
    current,
    show: (message: string, undo: Undoable['undo']) =>
      setCurrent({
        message,
        undo:
          undo &&
          (() => {
            setCurrent(null)
            undo()
          }),
      }),
  }
}

interface Props {
  undoable: Undoable | null
  failure: Failure | null
  onDismiss: () => void
}

/** Toasts at the bottom of the page: the last saved change and the last failure. */
export function TableToasts({ undoable, failure, onDismiss }: Props) {
  const { t } = useText()
  return (
    <div className={classes.toasts}>
      <output>
        {undoable ? (
          <span className={classes.toast}>
            <span className={classes.toastWords}>{undoable.message}</span>
            {undoable.undo ? (
              <Button size="small" variant="quiet" className={classes.toastButton} onClick={undoable.undo}>
                {t('table.undo')}
              </Button>
            ) : null}
          </span>
        ) : null}
      </output>
      <div role="alert">
        {failure ? (
          <div className={classes.toast}>
            <span className={classes.toastWords}>
              <strong>{failure.message}</strong>
              <ErrorMessage error={failure.error} />
            </span>
            <button
              type="button"
              className={classes.toastCross}
              aria-label={t('common.close')}
              onClick={onDismiss}
            >
              <IconX size={18} aria-hidden />
            </button>
          </div>
        ) : null}
      </div>
    </div>
  )
}
