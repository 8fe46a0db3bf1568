import type { BookingView } from '@hansom/contract/bookings'
import { useEffect, useState } from 'react'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './payment.module.css'
import { Outstanding } from './outstanding.tsx'
import { toBePaid } from './to-be-paid.ts'
import type { TripDialogs } from './trip-dialogs.ts'
import { usePaymentUnderWay } from './use-payment-under-way.ts'

/**
 * What the rider still has to pay, and the dialog for it. In advance it is open from the start, since nothing goes on
 * without; not while a provider has a payment that it has not decided.
 */
export function PaymentDue({ view, payment }: { view: BookingView; payment: TripDialogs['payment'] }) {
  const { t } = useText()
  const me = useMe()
  const isDue = toBePaid(view)
  const underWay = usePaymentUnderWay(isDue ? view.id : null)
  const [wish, setWish] = useState<'open' | 'closed' | null>(null)
  const [opensByItself] = useState(isDue && view.status === 'PAYMENT_PENDING')
  const isUnderWay = Boolean(underWay)
  useEffect(() => {
    if (isUnderWay) setWish((made) => made ?? 'closed')
  }, [isUnderWay])
  const isOpen = wish === 'open' || (wish === null && opensByItself && underWay === null)
  return (
    <>
      {isDue ? (
        <section className={classes.due} aria-label={t('trip.due')}>
          <p className={classes.dueAmount}>
            <span>{t('trip.due')}</span>
            <Money amount={dueAmount(view)} />
          </p>
          <Outstanding view={view} />
          {underWay ? (
            <Notice tone="plain">
              <span>
                {t('payments.under_way', { provider: isolated(t(`payments.provider_${underWay.provider}`)) })}
              </span>
              {/* Its page has to be loaded: what it may reach comes with the document. */}
              <a href={`/checkout/${underWay.provider}/${underWay.id}`}>{t('payments.see_under_way')}</a>
            </Notice>
          ) : null}
          <Button
            variant={underWay ? 'secondary' : 'primary'}
            size="large"
            wide
            onClick={() => setWish('open')}
          >
            {t('payments.pay_now')}
          </Button>
          {me && view.status === 'PENDING' ? (
            <p className={classes.dueNote}>
              {t('trip.wallet_balance')} <Money amount={me.walletBalance} /> · {t('trip.or_cash')}
            </p>
          ) : null}
        </section>
      ) : null}
      {/* It says itself that the booking has been paid, and goes then. */}
      {isOpen ? payment(view, () => setWish('closed')) : null}
    </>
  )
}

/** What is to be paid now: with what is still open from before, where that is collected with it. */
function dueAmount({ collect, payableAmount, trip_cost, discount_amount }: BookingView): number {
  if (collect && collect.total > 0) return collect.total
  return payableAmount > 0 ? payableAmount : trip_cost - discount_amount
}
