import type { BookingView, ListedBooking } from '@hansom/contract/bookings'
import type { PaymentView } from '@hansom/contract/payments'
import { toBePaid } from '@hansom/domain/bookings/amounts'
import { endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { orpc } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './payment.module.css'
import { paidInAdvance } from './status-text.ts'
import type { TripDialogs } from './trip-dialogs.ts'

/**
 * The amount the rider still has to pay, and its dialog. A payment in advance opens the dialog immediately, because the
 * booking waits for it, unless a provider has an undecided payment.
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
              {/* Loads the page in full, because only its own document may connect to the provider. */}
              <a href={`/checkout/${underWay.provider}/${underWay.id}`}>{t('payments.see_under_way')}</a>
            </Notice>
          ) : null}
          <Button
            variant={underWay ? 'secondary' : 'primary'}
            size="large"
            wide
            onClick={() => setWish('open')}
          >
            {t('trip.pay_now')}
          </Button>
          {me && view.status === 'PENDING' ? (
            <p className={classes.dueNote}>
              {t('trip.wallet_balance')} <Money amount={me.walletBalance} /> · {t('trip.or_cash')}
            </p>
          ) : null}
        </section>
      ) : null}
      {/* The dialog shows that the booking has been paid, and closes itself. */}
      {isOpen ? payment(view, () => setWish('closed')) : null}
    </>
  )
}

/** The amount to pay now, including the outstanding amount that is collected with it. */
function dueAmount({ collect, payableAmount, trip_cost, discount_amount }: BookingView): number {
  if (collect && collect.total > 0) return collect.total
  return payableAmount > 0 ? payableAmount : trip_cost - discount_amount
}

/**
 * The undecided payment attempt at a provider; null if there is none, undefined while loading. A null booking loads
 * nothing.
 */
function usePaymentUnderWay(booking: string | null): PaymentView | null | undefined {
  const { data, isError } = useQuery({
    ...orpc.payments.ofBooking.queryOptions({ input: { id: booking ?? '' } }),
    enabled: booking !== null,
    staleTime: 0,
    refetchInterval: 20_000,
  })
  if (isError || booking === null) return null
  return data && (data.items.find(({ state }) => state === 'pending') ?? null)
}

const beforeTheEnd = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'] as const

/**
 * Shows that the trip is prepaid, and the amount; for one cancelled free of charge, that all of it was returned. Later
 * the receipt shows it.
 */
export function PaidInAdvance({ view }: { view: BookingView }) {
  const { t } = useText()
  const isBack = view.status === 'CANCELLED' && view.cancellation_fee === 0 && view.rebooked_as === null
  const isShown = isBack || isOneOf(beforeTheEnd, view.status)
  if (view.viewer !== 'rider' || !view.prepaid || !isShown) return null
  return (
    <p className={classes.inAdvance}>
      <span>{t(isBack ? 'trip.back_in_wallet' : 'trip.paid_in_advance')}</span>
      <Money amount={paidInAdvance(view)} />
    </p>
  )
}

/** The payment method of a trip that has not ended, for admins, who change it in the dialog that edits the booking. */
export function PaymentLine({ view: { viewer, status, payment_mode } }: { view: BookingView }) {
  const { t } = useText()
  if (viewer !== 'admin' || isOneOf(endedStatuses, status)) return null
  return (
    <p className={classes.inAdvance}>
      <span>{t('trip.payment')}</span>
      <bdi>{t(`payments.method_${payment_mode}`)}</bdi>
    </p>
  )
}

/**
 * At the end of a cash trip: the amount to give the driver, including the outstanding amount. A delivery comes here only
 * when its last drop, where the fee was to be paid, failed.
 */
export function CashDue({ view }: { view: BookingView }) {
  const { t } = useText()
  const { viewer, status, payment_mode, prepaid, collect } = view
  if (viewer !== 'rider' || status !== 'REACHED' || payment_mode !== 'cash' || prepaid) return null
  if (!collect || collect.total <= 0) return null
  return (
    <section className={classes.due} aria-label={t('trip.due_cash')}>
      <p className={classes.dueAmount}>
        <span>{t('trip.due_cash')}</span>
        <Money amount={collect.total} />
      </p>
      <Outstanding view={view} />
    </section>
  )
}

/** The outstanding amount collected with this trip, separate from its own price. */
export function Outstanding({ view }: { view: ListedBooking }) {
  const { t } = useText()
  const { collect } = view
  if (view.viewer !== 'rider' || !collect || collect.outstanding <= 0) return null
  return (
    <dl className={classes.parts}>
      <div>
        <dt>{t('trip.collect_trip')}</dt>
        <dd>
          <Money amount={collect.trip} />
        </dd>
      </div>
      <div>
        <dt>{t('trip.collect_outstanding')}</dt>
        <dd>
          <Money amount={collect.outstanding} />
        </dd>
      </div>
      <div data-kind="total">
        <dt>{t('trip.collect_total')}</dt>
        <dd>
          <Money amount={collect.total} />
        </dd>
      </div>
    </dl>
  )
}
