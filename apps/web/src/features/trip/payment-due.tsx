import type { BookingView } from '@hansom/contract/bookings'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './payment.module.css'
import { toBePaid } from './to-be-paid.ts'
import type { PaymentOf } from './trip-screen.tsx'

/** What the rider still has to pay, and the dialog for it. In advance it is open from the start: nothing goes on without. */
export function PaymentDue({ view, payment }: { view: BookingView; payment: PaymentOf }) {
  const { t } = useText()
  const me = useMe()
  const isDue = toBePaid(view)
  const [isOpen, setIsOpen] = useState(isDue && view.status === 'PAYMENT_PENDING')
  return (
    <>
      {isDue ? (
        <section className={classes.due} aria-label={t('trip.due')}>
          <p className={classes.dueAmount}>
            <span>{t('trip.due')}</span>
            <Money
              amount={view.payableAmount > 0 ? view.payableAmount : view.trip_cost - view.discount_amount}
            />
          </p>
          <Button variant="primary" size="large" wide onClick={() => setIsOpen(true)}>
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
      {isOpen ? payment(view, () => setIsOpen(false)) : null}
    </>
  )
}
