import type { BookingView } from '@hansom/contract/bookings'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { serverNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import classes from './history.module.css'
import { StatusTag } from './status-tag.tsx'

/** Actions on a trip without opening its page. */
export type RowAct = 'pay' | 'cancel'

/** A booking in the history: time, route, the other party, price and status. */
export function BookingRow({ booking, onAct }: { booking: BookingView; onAct: (act: RowAct) => void }) {
  const { t } = useText()
  const format = useFormat()
  const isDue = booking.viewer === 'rider' && booking.status === 'PENDING'
  const mayCancel = booking.viewer === 'rider' && booking.commands.includes('cancel')
  const isPlanned = booking.status === 'NEW' && (booking.drivers_asked_at ?? 0) > serverNow()
  const other = booking.viewer === 'rider' ? booking.driver_name : booking.customer_name
  return (
    <li className={isDue ? classes.due : undefined}>
      <Link to="/trip/$id" params={{ id: booking.id }} className={classes.row}>
        <span className={classes.when}>
          <bdi>{format.dateTime(booking.tripdate)}</bdi>
          <StatusTag status={booking.status} isPlanned={isPlanned} />
        </span>
        <span className={classes.places}>
          <span className={classes.place} data-kind="pickup">
            <bdi>{booking.pickupAddress}</bdi>
          </span>
          <span className={classes.place} data-kind="drop">
            <bdi>{booking.dropAddress}</bdi>
          </span>
        </span>
        <span className={classes.who}>
          <bdi>{booking.carType}</bdi>
          {other ? <bdi>{other}</bdi> : null}
          <Ltr>{booking.booking_id}</Ltr>
        </span>
        <span className={classes.cost}>
          <Cost booking={booking} />
        </span>
        <IconChevronRight size={20} aria-hidden className={classes.chevron} />
      </Link>
      {isDue || mayCancel ? (
        <div className={classes.acts}>
          {mayCancel ? (
            <Button size="small" onClick={() => onAct('cancel')}>
              {t('trip.cancel')}
            </Button>
          ) : null}
          {isDue ? (
            <Button variant="primary" size="small" onClick={() => onAct('pay')}>
              {t('payments.pay_now')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}

/** The price as the viewer sees it: for riders less the discount; for a cancelled trip only the cancellation fee, labelled as such. */
function Cost({ booking }: { booking: BookingView }) {
  const { t } = useText()
  if (booking.status !== 'CANCELLED') {
    const discount = booking.viewer === 'rider' ? booking.discount_amount : 0
    return <Money amount={booking.trip_cost - discount} />
  }
  if (booking.cancellation_fee === 0) return <small>{t('history.no_charge')}</small>
  return (
    <>
      <Money amount={booking.cancellation_fee} />
      <small>{t('history.cancellation_fee')}</small>
    </>
  )
}
