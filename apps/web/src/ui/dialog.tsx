import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './dialog.module.css'
import { useBackdrop } from './use-backdrop.ts'
import { useModal } from './use-modal.ts'

interface Props {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** Buttons at the bottom, always visible. */
  footer?: ReactNode
  /** Maximum width, px. */
  width?: number
  /** `alertdialog` for messages the user must respond to. */
  role?: 'dialog' | 'alertdialog'
  /** Hides the close button; the footer must offer a way out. */
  hideClose?: boolean
}

/** A modal dialog; a bottom sheet on a phone. Traps the focus and restores it; closes on Esc and on the backdrop. */
export function Dialog({ open, onClose, title, children, footer, width = 460, role, hideClose }: Props) {
  const { t } = useText()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useModal(dialog, open)
  const backdrop = useBackdrop(onClose)
  if (!open) return null
  return (
    // Esc closes a modal dialog natively
    <dialog
      ref={dialog}
      role={role}
      className={classes.dialog}
      style={{ '--dialog-width': `${width}px` } as React.CSSProperties}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      {...backdrop}
    >
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {hideClose ? null : (
          <Button variant="quiet" size="icon" aria-label={t('common.close')} onClick={onClose}>
            <IconX size={20} aria-hidden />
          </Button>
        )}
      </div>
      <div className={classes.body}>{children}</div>
      {footer ? <div className={classes.foot}>{footer}</div> : null}
    </dialog>
  )
}
