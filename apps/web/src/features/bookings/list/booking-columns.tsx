import type { BookingRow, ListedBooking } from '@hansom/contract/bookings'
import { charged } from '@hansom/domain/bookings/amounts'
import { labelOf } from '@hansom/domain/bookings/field-labels'
import { type ViewField, viewShape, writtenFields } from '@hansom/domain/bookings/fields'
import type { ReactNode } from 'react'
import { ExtraText } from '../../../entities/car-types/car-type-name.tsx'
import type { Format } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/i18n.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import type { TableColumn } from '../../../ui/table/table-types.ts'
import { ChatFigures, type ReportColumns, reportColumns } from './chat-figures.tsx'
import classes from './history.module.css'
import { StatusTag } from './status-tag.tsx'

interface ColumnsFor extends ReportColumns {
  isAdmin: boolean
  isDelivery: boolean
  carTypeName: (stored: string) => string
  reasonText: (reason: string) => string
}

/** The columns of the back office's table of bookings; those shown by default fit at 1440 px. */
export function bookingColumns(options: ColumnsFor): TableColumn<BookingRow>[] {
  const { format, t, isAdmin, isDelivery, carTypeName, reasonText, isReported } = options
  const payment = ({ payment_mode }: ListedBooking) => t(`history.pay_${payment_mode}`)
  /** The payment method, or what a cancelled booking cost. */
  const priceNote = (booking: ListedBooking) =>
    booking.status !== 'CANCELLED'
      ? payment(booking)
      : t(booking.cancellation_fee > 0 ? 'history.cancellation_fee' : 'history.no_charge')
  const detail = isReported ? {} : ({ phone: 'detail' } as const)
  /** A column of a field, with a cell for its shape unless another is given. */
  const column = (
    field: ViewField,
    width: number,
    options: Partial<TableColumn<BookingRow>> = {},
  ): TableColumn<BookingRow> => ({
    id: field,
    header: labelOf(field),
    cell: (booking) => plainCell(booking[field], field, format),
    width,
    ...(kindOf(field) === 'amount' && { align: 'end', amount: true }),
    ...options,
  })
  return [
    column('booking_id', 100, {
      cell: (booking) => (
        <TwoLines
          first={<Ltr>{booking.booking_id}</Ltr>}
          second={<bdi>{carTypeName(booking.carType)}</bdi>}
        />
      ),
      phoneCell: (booking) => <Ltr>{booking.booking_id}</Ltr>,
      phone: 'title',
    }),
    column('status', 174, { cell: (booking) => <StatusTag booking={booking} />, phone: 'badge' }),
    column('tripdate', 148, {
      cell: (booking) => (
        <TwoLines
          first={<bdi>{format.date(booking.tripdate)}</bdi>}
          second={
            <span>
              <bdi>{format.clock(booking.tripdate)}</bdi>
              {booking.bookLater ? ` · ${t('history.bookLater')}` : null}
            </span>
          }
        />
      ),
      phoneCell: (booking) => <bdi>{format.dateTime(booking.tripdate)}</bdi>,
      sort: 'tripdate',
      ...detail,
    }),
    column('customer_name', 112, { wraps: true, phone: 'subtitle' }),
    column('driver_name', 144, {
      cell: (booking) =>
        booking.driver_name === null ? null : (
          <TwoLines
            first={<bdi>{booking.driver_name}</bdi>}
            second={booking.vehicle_number ? <Ltr>{booking.vehicle_number}</Ltr> : null}
          />
        ),
      phoneCell: (booking) => booking.driver_name && <bdi>{booking.driver_name}</bdi>,
      ...detail,
    }),
    column('trip_cost', 160, {
      cell: (booking) => <TwoLines isEnd first={<Price booking={booking} />} second={priceNote(booking)} />,
      phoneCell: (booking) => <Price booking={booking} />,
      sort: 'trip_cost',
      phone: 'end',
      hidden: isReported,
    }),
    ...(isAdmin
      ? [
          {
            id: 'chat',
            header: 'history.chat',
            cell: ({ chat }: BookingRow) => chat && <ChatFigures chat={chat} />,
            width: 80,
            phone: 'badge' as const,
          },
          ...reportColumns(options),
        ]
      : []),
    {
      id: 'route',
      header: 'history.route',
      cell: (booking) => (
        <TwoLines
          first={booking.pickupAddress && <bdi>{booking.pickupAddress}</bdi>}
          second={booking.dropAddress && <LastDrop booking={booking} t={t} />}
        />
      ),
      width: 146,
      hidden: isReported,
    },
    column('carType', 110, { cell: ({ carType }) => <bdi>{carTypeName(carType)}</bdi>, hidden: true }),
    ...(isDelivery
      ? [
          column('deliveryPerson', 140, { hidden: true }),
          ...(['parcelTypeSelected', 'optionSelected'] as const).map((field) =>
            column(field, 150, {
              cell: ({ [field]: chosen }) => chosen && <ExtraText stored={chosen.description} />,
              hidden: true,
            }),
          ),
        ]
      : []),
    column('payment_mode', 140, { cell: payment, hidden: true }),
    ...(['convenience_fees', 'driver_share', 'discount_amount'] as const).map((field) =>
      column(field, 110, {
        cell: (booking) => plainCell(charged(booking)[field], field, format),
        hidden: true,
      }),
    ),
    column('promo_name', 120, { hidden: true }),
    column('cancellation_fee', 140, { hidden: true }),
    column('cancelledBy', 120, {
      cell: ({ cancelledBy }) => cancelledBy && t(`trip.actor_${cancelledBy}`),
      hidden: true,
    }),
    ...(isAdmin
      ? [
          ...(
            [
              'customer_paid',
              'cashPaymentAmount',
              'cardPaymentAmount',
              'usedWalletMoney',
              'outstanding_collected',
            ] as const
          ).map((field) => column(field, 140, { hidden: true })),
          ...(['refunded', 'write_off'] as const).map(
            (id): TableColumn<BookingRow> => ({
              id,
              header: `history.${id}`,
              cell: (booking) => <Money amount={booking[id] ?? 0} />,
              width: 120,
              align: 'end',
              amount: true,
              hidden: true,
            }),
          ),
          {
            id: 'fleet_name',
            header: 'history.fleet_name',
            cell: ({ fleet_name }: BookingRow) => fleet_name && <bdi>{fleet_name}</bdi>,
            width: 140,
            hidden: true,
          },
        ]
      : []),
    ...(['accepted_at', 'driver_arrive_time', 'trip_start_time', 'trip_end_time'] as const).map((field) =>
      column(field, 160, { hidden: true }),
    ),
    column('bookingDate', 160, { sort: 'bookingDate', hidden: true }),
    column('reason', 200, {
      cell: (booking) => <span dir="auto">{booking.reason && reasonText(booking.reason)}</span>,
      hidden: true,
    }),
    ...writtenFields.map(({ field }) => column(field, 200, { hidden: true })),
  ]
}

/** What the booking costs: for a cancelled one, its fee. */
function Price({ booking }: { booking: ListedBooking }) {
  return <Money amount={booking.status === 'CANCELLED' ? booking.cancellation_fee : booking.trip_cost} />
}

/** The drop, after the number of a delivery's stops if there are several. */
function LastDrop({ booking: { delivery, dropAddress }, t }: { booking: ListedBooking; t: Translate }) {
  const drops = delivery?.drops ?? 0
  return (
    <>
      {drops > 1 ? `${t('delivery.drops', { count: drops })} · ` : null}
      <bdi>{dropAddress}</bdi>
    </>
  )
}

function TwoLines({ first, second, isEnd }: { first: ReactNode; second: ReactNode; isEnd?: boolean }) {
  return (
    <span className={classes.twoLines} data-end={isEnd}>
      {first}
      {second ? <small>{second}</small> : null}
    </span>
  )
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
