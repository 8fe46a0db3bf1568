import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './drawer.module.css'
import { Modal } from './modal.tsx'

interface Props {
  open: boolean
  onClose: () => void
  label: string
  /** In px. */
  width: number
  /** Defaults to `end`; `start` is for the menu. */
  side?: 'start' | 'end'
  /** False if Back closes it already, because the URL or a navigation opened it. */
  hasEntry?: boolean
  children: ReactNode
}

/** A modal drawer at the side. */
export function Drawer({ label, width, side = 'end', children, ...modal }: Props) {
  const { t } = useText()
  return (
    <Modal
      {...modal}
      className={classes.drawer}
      data-side={side}
      style={{ inlineSize: width }}
      aria-label={label}
    >
      <div className={classes.head}>
        <Button variant="quiet" size="icon" aria-label={t('common.close')} onClick={modal.onClose}>
          <IconX size={22} aria-hidden />
        </Button>
      </div>
      {children}
    </Modal>
  )
}
