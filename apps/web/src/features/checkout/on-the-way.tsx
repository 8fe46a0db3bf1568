import type { CheckoutView } from '@hansom/contract/payments'
import type { ReactNode } from 'react'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import classes from './checkout.module.css'

/** The browser is being led to the provider; the children lead there by hand. */
export function OnTheWay({ view, children }: { view: CheckoutView; children: ReactNode }) {
  const { t } = useText()
  const provider = isolated(t(`payments.provider_${view.provider}`))
  return (
    <div className={classes.scene}>
      <h1 className={classes.title}>{t('payments.leading_to', { provider })}</h1>
      <p className={classes.text} role="status">
        {t('payments.leading_to_text')}
      </p>
      {children}
    </div>
  )
}
