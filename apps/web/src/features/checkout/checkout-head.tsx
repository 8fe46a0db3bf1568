import type { CheckoutView } from '@hansom/contract/payments'
import { useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { ProviderMark } from '../../entities/payments/provider-mark.tsx'
import classes from './checkout.module.css'

/** What is paid, how much, and by whom it is taken. */
export function CheckoutHead({ view }: { view: CheckoutView }) {
  const { t } = useText()
  return (
    <header className={classes.head}>
      <ProviderMark name={view.provider} />
      <div className={classes.what}>
        <p className={classes.amount}>
          <Money amount={view.amount} />
        </p>
        <p className={classes.order}>
          {view.booking_id ? (
            <>
              {t('payments.for_trip')} <Ltr>{view.booking_id}</Ltr>
            </>
          ) : (
            t('payments.for_wallet')
          )}
          {' · '}
          <bdi>{t(`payments.provider_${view.provider}`)}</bdi>
        </p>
      </div>
      {view.live ? null : <span className={classes.sandbox}>{t('payments.sandbox')}</span>}
    </header>
  )
}
