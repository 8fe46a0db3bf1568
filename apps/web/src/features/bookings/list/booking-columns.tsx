import type { BookingView } from '@hansom/contract/bookings'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import type { Format } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/i18n.ts'
import { reasonText } from '../../../entities/bookings/reason-text.ts'
import type { TableColumn } from '../../../ui/table/table-types.ts'
import classes from './history.module.css'
import { StatusTag } from './status-tag.tsx'

/** The columns of the office's table of bookings. */
export function bookingColumns(format: Format, t: Translate): TableColumn<BookingView>[] {
  const name = (value: string | null) => (value === null ? null : <bdi>{value}</bdi>)
  const money = (
    id: 'convenience_fees' | 'driver_share' | 'discount_amount' | 'cancellation_fee',
  ): TableColumn<BookingView> => ({
    id,
    header: `history.${id}`,
    cell: (booking) => (booking[id] === null ? null : <Money amount={booking[id]} />),
    align: 'end',
    width: 130,
    hidden: true,
  })
  return [
    {
      id: 'booking_id',
      header: 'history.booking_id',
      cell: (booking) => <Ltr>{booking.booking_id}</Ltr>,
      width: 110,
    },
    {
      id: 'status',
      header: 'history.status',
      cell: (booking) => <StatusTag status={booking.status} />,
      width: 170,
      phone: 'badge',
    },
    {
      id: 'tripdate',
      header: 'history.tripdate',
      cell: (booking) => (
        <span className={classes.tableWhen}>
          <bdi>{format.dateTime(booking.tripdate)}</bdi>
          {booking.bookLater ? <small>{t('history.bookLater')}</small> : null}
        </span>
      ),
      sort: 'tripdate',
      width: 180,
      phone: 'subtitle',
    },
    {
      id: 'customer_name',
      header: 'history.rider',
      cell: (booking) => name(booking.customer_name),
      width: 170,
      phone: 'title',
    },
    {
      id: 'driver_name',
      header: 'history.driver',
      cell: (booking) =>
        booking.driver_name === null ? null : (
          <span className={classes.tableWhen}>
            <bdi>{booking.driver_name}</bdi>
            {booking.vehicle_number ? (
              <small>
                <Ltr>{booking.vehicle_number}</Ltr>
              </small>
            ) : null}
          </span>
        ),
      width: 170,
    },
    { id: 'carType', header: 'history.carType', cell: (booking) => name(booking.carType), width: 115 },
    {
      id: 'trip_cost',
      header: 'history.trip_cost',
      cell: (booking) => <Money amount={booking.trip_cost} />,
      sort: 'trip_cost',
      align: 'end',
      width: 115,
    },
    {
      id: 'pickup',
      header: 'history.pickup',
      cell: (booking) => name(booking.pickupAddress),
      width: 220,
    },
    { id: 'drop', header: 'history.drop', cell: (booking) => name(booking.dropAddress), width: 220 },
    {
      id: 'payment_mode',
      header: 'history.payment_mode',
      cell: (booking) => t(`history.pay_${booking.payment_mode}`),
      width: 140,
    },
    money('convenience_fees'),
    money('driver_share'),
    money('discount_amount'),
    money('cancellation_fee'),
    {
      id: 'bookingDate',
      header: 'history.bookingDate',
      cell: (booking) => <bdi>{format.dateTime(booking.bookingDate)}</bdi>,
      width: 200,
      hidden: true,
    },
    {
      id: 'reason',
      header: 'history.reason',
      cell: (booking) => <span dir="auto">{booking.reason && reasonText(booking.reason, t)}</span>,
      width: 200,
      hidden: true,
    },
  ]
}
