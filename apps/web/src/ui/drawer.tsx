import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './drawer.module.css'

interface Props {
  open: boolean
  onClose: () => void
  label: string
  /** In px. */
  width: number
  /** The end unless said otherwise; the start is for the menu. */
  side?: 'start' | 'end'
  children: ReactNode
}

/** A temporary drawer at a side; keeps the focus inside, gives it back, closes by Esc, by its cross and by the backdrop. */
export function Drawer({ open, onClose, label, width, side = 'end', children }: Props) {
  const { t } = useText()
  const drawer = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = drawer.current
    if (!open || !element) return
    const before = document.activeElement
    element.showModal()
    return () => {
      element.close()
      // The browser gives it back only to what closes before it is taken away.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [open])
  if (!open) return null
  return (
    // Esc closes a modal dialog by itself
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
      onClick={(event) => {
        if (event.target === drawer.current) onClose()
      }}
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
