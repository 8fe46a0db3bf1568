import type { BookingView } from '@hansom/contract/bookings'
import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { BookingsService } from './service.ts'

/** The bookings table as a file. */
export const bookingsExport = (bookings: Pick<BookingsService, 'everything'>): TableExport =>
  tableExport<BookingView>({
    name: 'bookings',
    offer: bookingsTableSpec,
    to: ['rider', 'driver', 'fleetadmin', 'admin'],
    when: 'critical',
    rows: (person, query) => bookings.everything(person, query),
    columns: [
      { title: 'exports.booking_id', as: 'text', value: (row) => row.booking_id },
      { title: 'exports.status', as: { words: 'history.status_' }, value: (row) => row.status },
      { title: 'exports.tripdate', as: 'time', value: (row) => row.tripdate },
      { title: 'exports.bookingDate', as: 'time', value: (row) => row.bookingDate },
      { title: 'exports.bookLater', as: 'flag', value: (row) => row.bookLater },
      { title: 'exports.carType', as: 'text', value: (row) => row.carType },
      { title: 'exports.customer_name', as: 'text', value: (row) => row.customer_name },
      { title: 'exports.driver_name', as: 'text', value: (row) => row.driver_name },
      { title: 'exports.vehicle_number', as: 'text', value: (row) => row.vehicle_number },
      { title: 'exports.pickupAddress', as: 'text', value: (row) => row.pickupAddress },
      { title: 'exports.dropAddress', as: 'text', value: (row) => row.dropAddress },
      {
        title: 'exports.distance',
        as: 'number',
        value: (row) => Math.round((row.distance ?? row.estimateDistance) * 100) / 100,
      },
      { title: 'exports.currency', as: 'text', value: (row) => row.currency },
      { title: 'exports.trip_cost', as: 'amount', value: (row) => row.trip_cost },
      {
        title: 'exports.convenience_fees',
        as: 'amount',
        to: ['driver', 'fleetadmin', 'admin'],
        value: (row) => row.convenience_fees,
      },
      {
        title: 'exports.driver_share',
        as: 'amount',
        to: ['driver', 'fleetadmin', 'admin'],
        value: (row) => row.driver_share,
      },
      {
        title: 'exports.discount_amount',
        as: 'amount',
        to: ['rider', 'admin'],
        value: (row) => row.discount_amount,
      },
      { title: 'exports.payment_mode', as: { words: 'exports.pay_' }, value: (row) => row.payment_mode },
      { title: 'exports.rating', as: 'number', value: (row) => row.rating },
      { title: 'exports.reason', as: 'text', value: (row) => row.reason },
    ],
  })
