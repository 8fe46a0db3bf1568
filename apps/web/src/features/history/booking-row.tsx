import type { BookingView } from '@hansom/contract/bookings'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './history.module.css'
import { StatusTag } from './status-tag.tsx'

/** One booking in the history: when, from where to where, with whom, for how much, and how it stands. */
export function BookingRow({ booking }: { booking: BookingView }) {
  const format = useFormat()
  const other = booking.viewer === 'rider' ? booking.driver_name : booking.customer_name
  return (
    <li>
      <Link to="/trip/$id" params={{ id: booking.id }} className={classes.row}>
        <span className={classes.when}>
          <bdi>{format.dateTime(booking.tripdate)}</bdi>
          <StatusTag status={booking.status} />
        </span>
        <span className={classes.places}>
          <span className={classes.place} data-kind="pickup">
            {booking.pickupAddress}
          </span>
          <span className={classes.place} data-kind="drop">
            {booking.dropAddress}
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
    </li>
  )
}

/** What the trip costs; of a cancelled one only what cancelling it cost, by that name. */
function Cost({ booking }: { booking: BookingView }) {
  const { t } = useText()
  if (booking.status !== 'CANCELLED') return <Money amount={booking.trip_cost} />
  if (booking.cancellation_fee === 0) return <small>{t('history.no_charge')}</small>
  return (
    <>
      <Money amount={booking.cancellation_fee} />
      <small>{t('history.cancellation_fee')}</small>
    </>
  )
}
