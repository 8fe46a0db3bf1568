import type { ListedBooking } from '@hansom/contract/bookings'
import { mayPayByCard } from '@hansom/domain/bookings/amounts'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { PromoField, PromoRefusal } from '../../../entities/promos/promo-field.tsx'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import choiceClasses from '../../../ui/choice.module.css'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Money } from '../../../ui/money.tsx'
import classes from './payment.module.css'
import { Outstanding } from './payment-due.tsx'
import actions from './trip-actions.module.css'

interface Choice {
  id: string
  payment_mode: PaymentMode
  promo?: string | null
}

export const choosePayment = (input: Choice) =>
  idempotentCall('choose_payment', input, api.bookings.choose_payment)

interface Props {
  view: ListedBooking
  /** In a dialog with a button of its own: the method chosen there, saved by the dialog. Otherwise saved at once. */
  draft?: { mode: PaymentMode; onChange: (mode: PaymentMode) => void }
  /** The amount to pay, if it is not the booking's own. */
  amount?: number | undefined
}

/** Payment method and promo; editable until the trip ends. */
export function PaymentChoice({ view, draft, amount }: Props) {
  const { t } = useText()
  const settings = useSettings()
  const me = useMe()
  // The trip page and a dialog over it may both show the choice.
  const name = useId()
  // An admin does not pay with their own wallet.
  const balance = view.viewer === 'rider' ? (me?.walletBalance ?? 0) : null
  const way = useMutation({ mutationFn: choosePayment, onSuccess: storeBooking })
  const promo = useMutation({ mutationFn: choosePayment, onSuccess: storeBooking })
  const chosen = draft?.mode ?? (way.isPending ? way.variables.payment_mode : view.payment_mode)
  const due = amount ?? (view.payableAmount > 0 ? view.payableAmount : view.trip_cost - view.discount_amount)
  // With wallet and card, the wallet pays all it has and the card the rest.
  const isMixed = (balance !== null && balance > 0 && balance < due) || chosen === 'wallet_card'
  const mayUseCard = mayPayByCard({ cardAvailable: settings.cardAvailable, email: view.customer_email })
  const modes: PaymentMode[] = [
    'cash',
    'wallet',
    ...(mayUseCard || chosen === 'card' ? (['card'] as const) : []),
    ...((mayUseCard && isMixed) || chosen === 'wallet_card' ? (['wallet_card'] as const) : []),
  ]
  return (
    <section className={classes.payment}>
      <fieldset className={classes.modes} aria-busy={way.isPending}>
        <legend>
          <span>{t('trip.payment')}</span>
          <Money amount={due} />
        </legend>
        {modes.map((mode) => (
          <label key={mode} className={choiceClasses.choice}>
            <input
              type="radio"
              name={name}
              checked={chosen === mode}
              onChange={() =>
                draft ? draft.onChange(mode) : way.mutate({ id: view.id, payment_mode: mode })
              }
            />
            <span>
              {t(`payments.method_${mode}`)}
              {mode === 'wallet' && balance !== null ? (
                <small>
                  <Money amount={balance} />
                </small>
              ) : null}
              {mode === 'card' ? <small>{t('payments.card_at_end')}</small> : null}
            </span>
          </label>
        ))}
      </fieldset>
      {way.error ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={way.error} />
        </p>
      ) : null}
      <Outstanding view={view} />
      <PromoField
        applied={view.promo_name}
        saves={view.discount_amount}
        busy={promo.isPending}
        error={promo.error ? <PromoRefusal error={promo.error} /> : null}
        onApply={(code) => promo.mutate({ id: view.id, payment_mode: view.payment_mode, promo: code })}
        onEdit={promo.reset}
      />
    </section>
  )
}
