import type { BookingView } from '@hansom/contract/bookings'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, newIdempotencyKey } from '../../lib/api.ts'
import { storeBooking } from '../../lib/booking-cache.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import actions from './actions.module.css'
import classes from './payment.module.css'

/** An ended trip that is not paid yet: by wallet here, or in cash in the car. */
export function PaymentDue({ view }: { view: BookingView }) {
  const { t } = useText()
  const me = useMe()
  const [key] = useState(newIdempotencyKey)
  const pay = useMutation({
    mutationFn: () => api.bookings.pay_by_wallet({ id: view.id }, { context: { idempotencyKey: key } }),
    onSuccess: storeBooking,
  })
  return (
    <section className={classes.due} aria-label={t('trip.due')}>
      <p className={classes.dueAmount}>
        <span>{t('trip.due')}</span>
        <Money amount={view.payableAmount > 0 ? view.payableAmount : view.trip_cost - view.discount_amount} />
      </p>
      <Button variant="primary" size="large" wide busy={pay.isPending} onClick={() => pay.mutate()}>
        {t('trip.pay_by_wallet')}
      </Button>
      <p className={classes.dueNote}>
        {me ? (
          <>
            {t('trip.wallet_balance')} <Money amount={me.walletBalance} />
            {' · '}
          </>
        ) : null}
        {t('trip.or_cash')}
      </p>
      {pay.error ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={pay.error} />
        </p>
      ) : null}
    </section>
  )
}
