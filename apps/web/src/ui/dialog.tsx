import { IconX } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, type RefObject, useId } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './dialog.module.css'
import { Modal } from './modal.tsx'

interface Props {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** Buttons at the bottom, always visible. */
  footer?: ReactNode
  /** Maximum width, px. */
  width?: number | undefined
  /** `alertdialog` for messages the user must respond to. */
  role?: 'dialog' | 'alertdialog'
  /** Hides the close button; the footer must offer a way out. */
  hideClose?: boolean
  /** False if Back closes it already, because the URL or a navigation opened it. */
  hasEntry?: boolean
  /** The content has nothing to focus: it can be scrolled by keyboard. */
  isText?: boolean
  /** Focused first; without it, see `Modal`. */
  initialFocus?: RefObject<HTMLElement | null>
}

/** A modal dialog; a bottom sheet on a phone. */
export function Dialog({ title, children, footer, width = 460, hideClose, isText, ...modal }: Props) {
  const { t } = useText()
  const titleId = useId()
  return (
    <Modal
      {...modal}
      className={classes.dialog}
      style={{ '--dialog-width': `${width}px` } as CSSProperties}
      aria-labelledby={titleId}
    >
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {hideClose ? null : (
          <Button variant="quiet" size="icon" aria-label={t('common.close')} onClick={modal.onClose}>
            <IconX size={20} aria-hidden />
          </Button>
        )}
      </div>
      {isText ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- takes the keys that scroll it
        <section className={classes.body} aria-labelledby={titleId} tabIndex={0}>
          {children}
        </section>
      ) : (
        <div className={classes.body}>{children}</div>
      )}
      {footer ? <div className={classes.foot}>{footer}</div> : null}
    </Modal>
  )
}

/** A message the user must acknowledge: titled Alert, with a single Close button. */
export function AlertDialog({
  open,
  onClose,
  children,
}: {
  open: boolean
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useText()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      title={t('common.alert')}
      hideClose
      footer={
        <Button variant="primary" wide onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {children}
    </Dialog>
  )
}
