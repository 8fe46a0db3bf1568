import type { BookingView } from '@hansom/contract/bookings'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Money } from '../../../ui/money.tsx'
import { Skeleton } from '../../../ui/page-states.tsx'
import classes from './cancel-trip.module.css'
import { paidInAdvance } from './to-be-paid.ts'

interface Price {
  fee: number
  free: boolean
  why: 'free' | 'slab' | 'driver_late' | 'not_accepted'
  next: { fee: number; from: number } | null
}

interface Props {
  price: Price | undefined
  view: BookingView
}

/** What cancelling costs at this moment, and why. */
export function CancellationPrice({ price, view }: Props) {
  const { t } = useText()
  const format = useFormat()
  if (!price) return <Skeleton height="64px" />
  const back = view.viewer === 'rider' && view.prepaid ? paidInAdvance(view) - price.fee : 0
  const isCharged = view.viewer === 'rider' && !view.prepaid && price.fee > 0
  return (
    <p className={classes.price} data-free={price.free || undefined} aria-live="polite">
      <strong>{price.free ? t('trip.cancel_free') : <Money amount={price.fee} />}</strong>
      <span>{t(`trip.cancel_why_${price.why}`)}</span>
      {price.next ? (
        <span>
          {t(price.free ? 'trip.cancel_free_until' : 'trip.cancel_rises', {
            time: isolated(format.clock(price.next.from)),
            amount: isolated(format.money(price.next.fee)),
          })}
        </span>
      ) : null}
      {isCharged ? <span>{t('trip.cancel_from_wallet')}</span> : null}
      {back > 0 ? <span>{t('trip.cancel_back', { amount: isolated(format.money(back)) })}</span> : null}
    </p>
  )
}
