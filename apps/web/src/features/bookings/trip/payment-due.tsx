import type { BookingView } from '@hansom/contract/bookings'
import type { PaymentView } from '@hansom/contract/payments'
import { isOneOf } from '@hansom/domain/bookings/status'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { orpc } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { paidInAdvance, toBePaid } from './needs-payment.ts'
import { Outstanding } from './outstanding.tsx'
import classes from './payment.module.css'
import type { TripDialogs } from './trip-dialogs.ts'

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

/**
 * The attempt to pay that a provider has but has not decided: null when there is none, undefined while that is not known.
 * Null for the booking asks for nothing.
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
 * That the trip is paid for already, and with how much; of one cancelled free of charge, that all of it is back. Otherwise
 * the receipt says it at the end.
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

/** At the end of a cash trip: what the rider gives the driver, with what is outstanding from before. */
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
