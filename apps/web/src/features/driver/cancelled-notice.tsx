import type { BookingView } from '@hansom/contract/bookings'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { Link } from '@tanstack/react-router'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { reasonText } from '../../entities/bookings/reason-text.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'

/** A trip that someone else cancelled: by whom, which one, why, and what the driver gets for it. */
export function CancelledNotice({ booking, onRead }: { booking: BookingView; onRead: () => void }) {
  const { t } = useText()
  return (
    <section className={classes.cancelled} aria-label={t('driver.cancelled_label')}>
      <p className={classes.target}>{t(cancelledLine(booking))}</p>
      <p className={classes.meta}>
        {booking.pickupAddress}
        {booking.reason ? (
          <span className={classes.reasonGiven}>
            {t('trip.why', { reason: isolated(reasonText(booking.reason, t)) })}
          </span>
        ) : null}
      </p>
      {booking.cancellation_fee > 0 ? (
        <p className={classes.amountLine}>
          <span>{t('driver.cancelled_fee')}</span> <Money amount={booking.cancellation_fee} />
        </p>
      ) : null}
      <div className={classes.pair}>
        <Button variant="primary" onClick={onRead}>
          {t('driver.cancelled_read')}
        </Button>
        <Link to="/trip/$id" params={{ id: booking.id }} className={classes.textLink}>
          {t('driver.cancelled_details')}
        </Link>
      </div>
    </section>
  )
}

/** The key of the line that says who cancelled. */
export function cancelledLine({ cancelledBy }: Pick<BookingView, 'cancelledBy'>): TextKey {
  return cancelledBy === null || cancelledBy === 'system'
    ? 'trip.driver_CANCELLED'
    : `trip.driver_CANCELLED_${cancelledBy}`
}
