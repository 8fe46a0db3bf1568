import type { ReactNode } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './dialog.module.css'

/** The footer buttons of a dialog: Cancel first if given, the main action last. */
export function DialogButtons({ onCancel, children }: { onCancel?: () => void; children: ReactNode }) {
  const { t } = useText()
  return (
    <div className={classes.buttons}>
      {onCancel ? <Button onClick={onCancel}>{t('common.cancel')}</Button> : null}
      {children}
    </div>
  )
}
