import type { ReactNode } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import classes from './dialog-buttons.module.css'

/** The buttons at the foot of a dialog: the way out first, where one is given, and the step it is for last. */
export function DialogButtons({ onCancel, children }: { onCancel?: () => void; children: ReactNode }) {
  const { t } = useText()
  return (
    <div className={classes.buttons}>
      {onCancel ? <Button onClick={onCancel}>{t('common.cancel')}</Button> : null}
      {children}
    </div>
  )
}
