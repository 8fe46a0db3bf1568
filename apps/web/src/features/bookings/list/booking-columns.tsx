import type { BookingView } from '@hansom/contract/bookings'
import { labelOf, type ViewField, viewShape } from '@hansom/domain/bookings/fields'
import type { ReactNode } from 'react'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import type { Format } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/i18n.ts'
import { reasonText } from '../../../entities/bookings/reason-text.ts'
import type { TableColumn } from '../../../ui/table/table-types.ts'
import classes from './history.module.css'
import { StatusTag } from './status-tag.tsx'

/** The columns of the back office's table of bookings. */
export function bookingColumns(format: Format, t: Translate): TableColumn<BookingView>[] {
  /** A column of a field, with a cell for its shape unless another is given. */
  const column = (
    field: ViewField,
    width: number,
    options: Partial<TableColumn<BookingView>> = {},
  ): TableColumn<BookingView> => ({
    id: field,
    header: labelOf(field),
    cell: (booking) => plainCell(booking[field], field, format),
    width,
    ...(kindOf(field) === 'amount' && { align: 'end' }),
    ...options,
  })
  return [
    column('booking_id', 110, { cell: (booking) => <Ltr>{booking.booking_id}</Ltr> }),
    column('status', 170, { cell: (booking) => <StatusTag status={booking.status} />, phone: 'badge' }),
    column('tripdate', 180, {
      cell: (booking) => (
        <span className={classes.tableWhen}>
          <bdi>{format.dateTime(booking.tripdate)}</bdi>
          {booking.bookLater ? <small>{t('history.bookLater')}</small> : null}
        </span>
      ),
      sort: 'tripdate',
      phone: 'subtitle',
    }),
    column('customer_name', 170, { phone: 'title' }),
    column('driver_name', 170, {
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
    }),
    column('carType', 115),
    column('trip_cost', 115, { sort: 'trip_cost' }),
    column('pickupAddress', 220, { id: 'pickup' }),
    column('dropAddress', 220, { id: 'drop' }),
    column('payment_mode', 140, { cell: (booking) => t(`history.pay_${booking.payment_mode}`) }),
    column('convenience_fees', 130, { hidden: true }),
    column('driver_share', 130, { hidden: true }),
    column('discount_amount', 130, { hidden: true }),
    column('cancellation_fee', 130, { hidden: true }),
    column('bookingDate', 200, { hidden: true }),
    column('reason', 200, {
      cell: (booking) => <span dir="auto">{booking.reason && reasonText(booking.reason, t)}</span>,
      hidden: true,
    }),
  ]
}

const kindOf = (field: ViewField) => {
  const shape = viewShape[field]
  return shape.kind === 'nullable' ? shape.of.kind : shape.kind
}

function plainCell(value: unknown, field: ViewField, format: Format): ReactNode {
  if (value === null) return null
  const kind = kindOf(field)
  if (kind === 'amount') return <Money amount={Number(value)} />
  return <bdi>{kind === 'time' ? format.dateTime(Number(value)) : String(value)}</bdi>
}
