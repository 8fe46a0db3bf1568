import { useSearch } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/page-states.tsx'
import classes from './checkout.module.css'

/** The order was refused: the reason from the URL, and a link back to the order. */
export function RefusedScreen() {
  const { t } = useText()
  const { error } = useSearch({ from: '/app/checkout' })
  const key = `error.${error ?? 'server_error'}`
  const why = t(key)
  return (
    <div className={classes.page}>
      <EmptyState
        heading="h1"
        title={t('payments.refused_title')}
        action={
          <a href="/bookings" className={buttonClass({ variant: 'primary' })}>
            {t('payments.to_bookings')}
          </a>
        }
      >
        {why === key ? t('error.server_error') : why}
      </EmptyState>
    </div>
  )
}
