import { IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './drawer.module.css'
import { useBackdrop } from './use-backdrop.ts'
import { useModal } from './use-modal.ts'

interface Props {
  open: boolean
  onClose: () => void
  label: string
  /** In px. */
  width: number
  /** Defaults to `end`; `start` is for the menu. */
  side?: 'start' | 'end'
  children: ReactNode
}

/** A modal drawer at the side. Traps the focus and restores it; closes on Esc, its close button and the backdrop. */
export function Drawer({ open, onClose, label, width, side = 'end', children }: Props) {
  const { t } = useText()
  const drawer = useRef<HTMLDialogElement>(null)
  useModal(drawer, open)
  const backdrop = useBackdrop(onClose)
  if (!open) return null
  return (
    // Esc closes a modal dialog natively
    <dialog
      ref={drawer}
      className={classes.drawer}
      data-side={side}
      style={{ inlineSize: width }}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      {...backdrop}
    >
      <div className={classes.head}>
        <Button variant="quiet" size="icon" aria-label={t('common.close')} onClick={onClose}>
          <IconX size={22} aria-hidden />
        </Button>
      </div>
      {children}
    </dialog>
  )
}
