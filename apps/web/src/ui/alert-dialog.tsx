import type { ReactNode } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

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
