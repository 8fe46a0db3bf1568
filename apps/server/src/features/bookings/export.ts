import type { BookingView } from '@hansom/contract/bookings'
import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { BookingsService } from './service.ts'

/** The bookings table as a file. */
export const bookingsExport = (bookings: Pick<BookingsService, 'all'>): TableExport =>
  tableExport<BookingView>({
    name: 'bookings',
    offer: bookingsTableSpec,
    roles: ['rider', 'driver', 'fleetadmin', 'admin'],
    when: 'critical',
    rows: (person, query) => bookings.all(person, query),
    columns: [
      { title: 'exports.booking_id', kind: 'text', value: (row) => row.booking_id },
      { title: 'exports.status', kind: { words: 'history.status_' }, value: (row) => row.status },
      { title: 'exports.tripdate', kind: 'time', value: (row) => row.tripdate },
      { title: 'exports.bookingDate', kind: 'time', value: (row) => row.bookingDate },
      { title: 'exports.bookLater', kind: 'flag', value: (row) => row.bookLater },
      { title: 'exports.carType', kind: 'text', value: (row) => row.carType },
      { title: 'exports.customer_name', kind: 'text', value: (row) => row.customer_name },
      { title: 'exports.driver_name', kind: 'text', value: (row) => row.driver_name },
      { title: 'exports.vehicle_number', kind: 'text', value: (row) => row.vehicle_number },
      { title: 'exports.pickupAddress', kind: 'text', value: (row) => row.pickupAddress },
      { title: 'exports.dropAddress', kind: 'text', value: (row) => row.dropAddress },
      {
        title: 'exports.distance',
        kind: 'number',
        value: (row) => Math.round((row.distance ?? row.estimateDistance) * 100) / 100,
      },
      { title: 'exports.currency', kind: 'text', value: (row) => row.currency },
      { title: 'exports.trip_cost', kind: 'amount', value: (row) => row.trip_cost },
      {
        title: 'exports.convenience_fees',
        kind: 'amount',
        roles: ['driver', 'fleetadmin', 'admin'],
        value: (row) => row.convenience_fees,
      },
      {
        title: 'exports.driver_share',
        kind: 'amount',
        roles: ['driver', 'fleetadmin', 'admin'],
        value: (row) => row.driver_share,
      },
      {
        title: 'exports.discount_amount',
        kind: 'amount',
        roles: ['rider', 'admin'],
        value: (row) => row.discount_amount,
      },
      { title: 'exports.payment_mode', kind: { words: 'exports.pay_' }, value: (row) => row.payment_mode },
      { title: 'exports.rating', kind: 'number', value: (row) => row.rating },
      { title: 'exports.reason', kind: 'text', value: (row) => row.reason },
    ],
  })
