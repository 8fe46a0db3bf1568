import { IconX } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import { ErrorMessage } from '../error-message.tsx'
import classes from './dialogs.module.css'

export interface Failure {
  /** Translated description of what failed. */
  message: string
  error: unknown
}

interface Props {
  /** The name of the record just removed. */
  removed: string | null
  onUndo: () => void
  failure: Failure | null
  onDismiss: () => void
}

/** Toasts at the bottom of the page: the removal that can be undone and the last failure. */
export function TableToasts({ removed, onUndo, failure, onDismiss }: Props) {
  const { t } = useText()
  return (
    <div className={classes.toasts}>
      <div role="status">
        {removed === null ? null : (
          <div className={classes.toast}>
            <span className={classes.toastWords}>{t('table.removed', { name: removed })}</span>
            <Button size="small" variant="quiet" className={classes.toastButton} onClick={onUndo}>
              {t('table.undo')}
            </Button>
          </div>
        )}
      </div>
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
