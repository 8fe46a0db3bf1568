import type { BookingView } from '@hansom/contract/bookings'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { storeBooking } from '../../lib/booking-cache.ts'
import { useText } from '../../lib/i18n.ts'
import { once } from '../../lib/intention.ts'
import { useMe } from '../../lib/session.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Money } from '../../ui/money.tsx'
import { isolated } from './isolated.ts'
import actions from './actions.module.css'
import choiceClasses from './choice.module.css'
import classes from './payment.module.css'

const modes = ['cash', 'wallet'] as const

/** How the trip will be paid; open until it has ended. */
export function PaymentChoice({ view }: { view: BookingView }) {
  const { t } = useText()
  const me = useMe()
  const choose = useMutation({
    mutationFn: (input: { id: string; payment_mode: (typeof modes)[number] }) =>
      once('choose_payment', input, api.bookings.choose_payment),
    onSuccess: storeBooking,
  })
  const chosen = choose.isPending ? choose.variables.payment_mode : view.payment_mode
  return (
    <section className={classes.payment}>
      <fieldset className={classes.modes} aria-busy={choose.isPending}>
        <legend>
          <span>{t('trip.payment')}</span>
          <Money amount={view.payableAmount > 0 ? view.payableAmount : view.trip_cost} />
        </legend>
        {modes.map((mode) => (
          <label key={mode} className={choiceClasses.choice}>
            <input
              type="radio"
              name="payment"
              checked={chosen === mode}
              onChange={() => choose.mutate({ id: view.id, payment_mode: mode })}
            />
            <span>
              {t(`trip.pay_${mode}`)}
              {mode === 'wallet' && me ? (
                <small>
                  <Money amount={me.walletBalance} />
                </small>
              ) : null}
            </span>
          </label>
        ))}
      </fieldset>
      {view.promo_name ? (
        <p className={classes.promo}>
          <span>{t('trip.promo', { name: isolated(view.promo_name) })}</span>
          <Money amount={-view.discount_amount} />
        </p>
      ) : null}
      {choose.error ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={choose.error} />
        </p>
      ) : null}
    </section>
  )
}
