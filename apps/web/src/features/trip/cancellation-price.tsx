import type { BookingView } from '@hansom/contract/bookings'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/page-states.tsx'
import classes from './cancel-trip.module.css'

interface Price {
  fee: number
  free: boolean
  why: 'free' | 'slab' | 'driver_late' | 'not_accepted'
}

/** What cancelling costs at this moment, and why. A driver reads what happens to the rider instead. */
export function CancellationPrice({
  price,
  viewer,
}: {
  price: Price | undefined
  viewer: BookingView['viewer']
}) {
  const { t } = useText()
  if (viewer === 'driver') return <p className={classes.price}>{t('trip.cancel_driver_note')}</p>
  if (!price) return <Skeleton height="64px" />
  return (
    <p className={classes.price} data-free={price.free || undefined} aria-live="polite">
      <strong>{price.free ? t('trip.cancel_free') : <Money amount={price.fee} />}</strong>
      <span>{t(`trip.cancel_why_${price.why}`)}</span>
    </p>
  )
}
